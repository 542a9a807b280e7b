import { DEFAULT_SETTINGS, Settings } from '../../dist/libs/contracts/src/settings/settings.js';
import { Sanitizer } from '../../dist/libs/engine/src/controls/output/sanitizer.js';
import { OUTPUT_FAMILIES } from './hostile-outputs.mjs';
import { countReadUnits, unitsReadBy } from './read-units.mjs';

// Checks that sanitizing is linear in both HTML modes, for texts that are built to make it slow, and that such a text
// takes at most a few times the work of prose.

const isCounted = process.argv.includes('--counted');
/**
 * Counting slows the sanitizer down, so counted texts are shorter than timed ones, and with `--counted` shorter again.
 * With `--counted` each length is four times the one before, because long texts are read in parts and the work grows in steps.
 */
const COUNTED = isCounted
  ? /** @type {const} */ ([2 ** 14, 2 ** 16, 2 ** 18])
  : /** @type {const} */ ([2 ** 16, 2 ** 17, 2 ** 18]);
const TIMED = /** @type {const} */ ([2 ** 17, 2 ** 20]);

/** The maximum ratio of the work for each added unit, with a tolerance for the steps. Quadratic code has 4 here, or 2. */
const MAX_GROWTH = 1.2;

/** The maximum work for each added unit, as a multiple of the work for prose. */
const MAX_RATIO_TO_PROSE = 3;
const PROSE =
  'Your order A-1182 left our warehouse this morning and should reach you within three days. If it does not, write ' +
  'to us. See [the guide](https://docs.a.example/returns#parcels) for what to do, or ask `support` in the chat.\n\n' +
  '* Unpack it within 2 weeks.\n* Keep the box (it is 40 x 30 cm).\n\n';

/** The maximum growth of the time per unit, with a tolerance for other load. Quadratic code needs eight times as long here. */
const MAX_TIME_GROWTH = 4;

/** Shorter times are too inexact to compare. */
const MIN_TIME = 20_000;

const sanitizer = new Sanitizer([]);
const modes = [
  { mode: 'any, escape', rendering: 'any', html: 'escape' },
  { mode: 'markdown, allowlist', rendering: 'markdown', html: 'allowlist' },
].map(({ mode, rendering, html }) => ({
  mode,
  settings: new Settings({
    ...DEFAULT_SETTINGS,
    'output_handler.rendering': rendering,
    'output_handler.html_mode': html,
  }),
}));
let passed = 0;
let failed = 0;

// Times are measured first, because counting slows everything down.
const times = (isCounted ? [] : OUTPUT_FAMILIES).flatMap(([name, text]) =>
  modes.map(({ mode, settings }) => {
    const [short, long] = TIMED.map((length) => {
      const output = text(length);
      return timeOf(() => sanitizer.sanitize(output, settings));
    });
    const growth = Math.max(long ?? 0, MIN_TIME) / Math.max(short ?? 0, MIN_TIME / 8) / 8;
    return judge(
      growth <= MAX_TIME_GROWTH,
      `${name}, ${mode}: ${growth.toFixed(2)} times the time for each unit`,
    );
  }),
);
console.log(`${times.length} times measured`);

countReadUnits();
const prose = modes.map(
  ({ settings }) => readUnits((length) => PROSE.repeat(Math.ceil(length / PROSE.length)), settings).added,
);
for (const [name, text] of OUTPUT_FAMILIES) {
  for (const [index, { mode, settings }] of modes.entries()) {
    const { added, growth } = readUnits(text, settings);
    const ratio = added / (prose[index] ?? Number.NaN);
    const words = `${name}, ${mode}: ${added.toFixed(1)} read for each added unit, ${ratio.toFixed(1)} times of prose, growth ${growth.toFixed(2)}`;
    if (judge(growth <= MAX_GROWTH && ratio <= MAX_RATIO_TO_PROSE, words)) console.log(words);
  }
}
console.log(`\n${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;

/** The units that are read for each unit between the second and the third length, and the growth of this number. */
function readUnits(/** @type {(length: number) => string} */ text, /** @type {Settings} */ settings) {
  const [short = 0, middle = 0, long = 0] = COUNTED.map((length) => {
    const output = text(length).slice(0, length);
    return unitsReadBy(() => sanitizer.sanitize(output, settings));
  });
  return {
    added: (long - middle) / (COUNTED[2] - COUNTED[1]),
    growth: (long - middle) / (COUNTED[2] - COUNTED[1]) / ((middle - short) / (COUNTED[1] - COUNTED[0])),
  };
}

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
