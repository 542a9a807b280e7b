import { parseArgs } from 'node:util';
import { DEFAULT_SETTINGS, Settings } from '../../dist/libs/contracts/src/settings/settings.js';
import { LinearRegex } from '../../dist/libs/engine/src/patterns/linear-regex.js';
import { PatternSet } from '../../dist/libs/engine/src/patterns/pattern-set.js';
import { runToEnd } from '../../dist/libs/engine/src/shared/resumable.js';
import { Screening } from '../../dist/libs/engine/src/controls/screening/screening.js';
import { compare } from './comparison.mjs';
import { EXCEPTION_FAMILIES, PATTERN_FAMILIES, SCREEN_FAMILIES } from './hostile-families.mjs';
import { Random, seedFrom } from './random.mjs';
import { countSteps, stepsOf } from './steps.mjs';

const { values } = parseArgs({
  options: {
    seed: { type: 'string' },
    rounds: { type: 'string' },
    /** The length of the longest text, as a power of two. Screened texts have at most 2 ** 18. */
    longest: { type: 'string' },
  },
});
const seed = seedFrom(values.seed);
const rounds = Number(values.rounds ?? 1000);
const MAX_LENGTH = 2 ** Number(values.longest ?? 20);

const MAX_SCREENED_LENGTH = Math.min(2 ** 18, MAX_LENGTH);
/** Shorter texts need other numbers of steps per unit. */
const SHORTEST = 16;

/** Maximum ratio of the steps for a text of twice the length, with a tolerance for rounding. */
const MAX_GROWTH = 2 * 1.15;

let passed = 0;
let failed = 0;
const check = (/** @type {boolean} */ good, /** @type {string} */ message) => {
  if (good) passed += 1;
  else failed += 1;
  if (!good) console.log(`FAILED ${message}`);
};

console.log(`${rounds} rounds`);
const { compared, matched, failures } = compare(new Random(seed), rounds);
console.log(`${compared} results compared with V8, ${matched} of them with matches`);
check(matched > compared / 20, 'fewer than 5 % of the texts have a match; the comparison is too weak');
passed += compared - failures.length;
failed += failures.length;
for (const failure of failures.slice(0, 10)) console.log('FAILED', JSON.stringify(failure));

countSteps();
for (const [name, pattern, text] of PATTERN_FAMILIES) {
  await checkGrowth(name, MAX_LENGTH, (length) => {
    const set = PatternSet.of([LinearRegex.compile(pattern)]);
    const subject = text(length);
    return () => runToEnd(set.search(subject));
  });
}
const settings = new Settings({
  ...DEFAULT_SETTINGS,
  'normalization.max_prompt_length': MAX_SCREENED_LENGTH,
});
for (const [name, text] of SCREEN_FAMILIES) {
  await checkGrowth(`whole screen: ${name}`, MAX_SCREENED_LENGTH, (length) => {
    const subject = text(length);
    return () => new Screening({ screeners: [] }).judge(subject, {}, settings);
  });
}
for (const [name, pattern, phrases, text] of EXCEPTION_FAMILIES) {
  const excepted = settings.with(
    new Map([
      ['input_screen.patterns', { excepted: pattern }],
      ['input_screen.exceptions', phrases.map(exceptionOf)],
    ]),
  );
  await checkGrowth(`exceptions: ${name}`, MAX_SCREENED_LENGTH, (length) => {
    const subject = text(length);
    return () => new Screening({ screeners: [] }).judge(subject, {}, excepted);
  });
}
console.log(`\n${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;

function exceptionOf(/** @type {string} */ phrase) {
  return { rule_id: 'excepted', phrase, reason: 'a hostile text', ends_at: '9999-01-01T00:00:00.000Z' };
}

/**
 * @param {string} name
 * @param {number} longest
 * @param {(length: number) => () => unknown} prepare
 */
async function checkGrowth(name, longest, prepare) {
  const started = performance.now();
  // States that an earlier text has created are not counted again.
  await stepsOf(prepare(longest));
  const counts = [];
  for (let length = 2 ** SHORTEST; length <= longest; length *= 2)
    counts.push(await stepsOf(prepare(length)));
  const growth = Math.max(...counts.slice(1).map((count, index) => count / (counts[index] ?? 1)));
  const perUnit = (counts.at(-1) ?? 0) / longest;
  const message = `${name}: ${perUnit.toFixed(1)} steps per unit, growth ${growth.toFixed(2)}`;
  if (growth <= MAX_GROWTH) console.log(`${message} (${Math.round(performance.now() - started)} ms)`);
  check(growth <= MAX_GROWTH, message);
}
