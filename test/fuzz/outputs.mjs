import { DEFAULT_SETTINGS, Settings } from '../../dist/libs/contracts/src/settings/settings.js';
import { Sanitizer } from '../../dist/libs/engine/src/output/sanitizer.js';
import { OUTPUT_FAMILIES } from './hostile-outputs.mjs';
import { countReadUnits, unitsReadBy } from './read-units.mjs';

// Checks that sanitizing is linear in both HTML modes, for texts that are built to make it slow.

/** Counting slows the sanitizer down, so counted texts are shorter than timed ones. */
const COUNTED = /** @type {const} */ ([2 ** 15, 2 ** 16, 2 ** 17]);
const TIMED = /** @type {const} */ ([2 ** 17, 2 ** 20]);

/** The maximum ratio of the work for each added length, with a tolerance for rounding. */
const MOST_GROWTH = 1.15;

/** The maximum growth of the time per unit, with a tolerance for other load. Quadratic code needs eight times as long here. */
const MOST_GROWTH_OF_TIME = 4;

/** Shorter times are too inexact to compare. */
const LEAST_TIME = 20_000;

const sanitizer = new Sanitizer([]);
const modes = ['escape', 'allowlist'].map((mode) => ({
  mode,
  settings: new Settings({ ...DEFAULT_SETTINGS, 'output_handler.html_mode': mode }),
}));
let passed = 0;
let failed = 0;

// Times are measured first, because counting slows everything down.
const times = (process.argv.includes('--counted') ? [] : OUTPUT_FAMILIES).flatMap(([name, text]) =>
  modes.map(({ mode, settings }) => {
    const [short, long] = TIMED.map((length) => {
      const output = text(length);
      return timeOf(() => sanitizer.sanitize(output, settings));
    });
    const growth = Math.max(long ?? 0, LEAST_TIME) / Math.max(short ?? 0, LEAST_TIME / 8) / 8;
    return judge(
      growth <= MOST_GROWTH_OF_TIME,
      `${name}, ${mode}: ${growth.toFixed(2)} times the time for each unit`,
    );
  }),
);
console.log(`${times.length} times measured`);

countReadUnits();
for (const [name, text] of OUTPUT_FAMILIES) {
  for (const { mode, settings } of modes) {
    const [short = 0, middle = 0, long = 0] = COUNTED.map((length) => {
      const output = text(length);
      return unitsReadBy(() => sanitizer.sanitize(output, settings));
    });
    const growth = (long - middle) / (middle - short) / 2;
    const words = `${name}, ${mode}: ${(long / (COUNTED.at(-1) ?? 1)).toFixed(1)} read for each unit, growth ${growth.toFixed(2)}`;
    if (judge(growth <= MOST_GROWTH, words)) console.log(words);
  }
}
console.log(`\n${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;

/** CPU time in microseconds. */
function timeOf(/** @type {() => unknown} */ work) {
  const { user } = process.cpuUsage();
  work();
  return process.cpuUsage().user - user;
}

function judge(/** @type {boolean} */ good, /** @type {string} */ words) {
  if (good) passed += 1;
  else failed += 1;
  if (!good) console.log(`FAILED ${words}`);
  return good;
}
