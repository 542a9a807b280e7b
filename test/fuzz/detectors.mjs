import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { OUTPUT_FAMILIES } from './hostile-outputs.mjs';
import { countReadUnits, unitsReadBy } from './read-units.mjs';

// Every built-in detector, and the rendered view, must be linear: eight times the text takes about eight times as long.
// With `--counted` no time is measured: it counts the units that a detector reads, and reports patterns with a repetition
// without an upper bound, because backtracking within one match cannot be counted.
// Usage: node test/fuzz/detectors.mjs [--counted] [folder of the build [name of a detector]]

const [LENGTH, FACTOR] = [2 ** 14, 8];
/** A quadratic detector needs 64 times the time for eight times the text. */
const MAX_GROWTH = 4;
/** Shorter times are not measured exactly. In microseconds. */
const MIN_TIME = 10_000;
/** Garbage collection and other processes can disturb a measurement, so a high growth is measured again. */
const ATTEMPTS = 4;

const COUNTED_LENGTH = 2 ** 12;
/** The units read for each unit of a text that is eight times as long. */
const MAX_COUNTED_GROWTH = 1.5;

const UNITS = [
  'a',
  'A',
  '1',
  'é',
  ' ',
  '-',
  '.',
  '_',
  '@',
  ':',
  '/',
  '=',
  '+',
  '"',
  '\n',
  '*',
  '&#',
  '\\_',
  '**a',
];
const PAIRS = ['a', 'A', '1'].flatMap((first) => UNITS.map((second) => first + second));
/** @type {readonly (readonly [name: string, text: (length: number) => string])[]} */
const families = [
  ...OUTPUT_FAMILIES,
  ...[...UNITS, ...PAIRS].map((unit) => /** @type {const} */ ([JSON.stringify(unit), fill(unit)])),
];

const isCounted = process.argv.includes('--counted');
const [folder = 'dist', only] = process.argv.slice(2).filter((argument) => argument !== '--counted');
const build = pathToFileURL(`${resolve(folder)}/`);
const output = new URL('libs/engine/src/controls/output/', build);
const { builtInDetectors } = await import(new URL('detectors/built-in-detectors.js', output).href);
const { PatternDetector } = await import(new URL('detectors/pattern-detector.js', output).href);
const { Placeholders } = await import(new URL('placeholders.js', output).href);
const { RenderedView } = await import(new URL('rendered-view.js', output).href);

const subjects = [
  ...builtInDetectors.map((detector) => ({
    name: detector.name,
    run: (text) => detector.find(text),
    hasUnboundedPattern: detector instanceof PatternDetector && isUnbounded(detector.pattern),
  })),
  {
    name: 'the rendered view',
    run: (text) => RenderedView.of(text, new Placeholders([])),
    hasUnboundedPattern: false,
  },
].filter(({ name }) => only === undefined || name === only);
if (isCounted) countReadUnits();

let failed = 0;
for (const { name, run, hasUnboundedPattern } of subjects) {
  const growsTooFast = isCounted ? readsTooMuch : isSlow;
  // A pattern without an upper bound is not run: its backtracking may never end.
  const slow = hasUnboundedPattern
    ? ['any text with a long repetition']
    : families.filter(([, text]) => growsTooFast(run, text)).map(([family]) => family);
  if (slow.length === 0) continue;
  failed += 1;
  console.log(`FAILED ${name} is not linear for: ${slow.join(', ')}. Give every repetition an upper bound.`);
}
console.log(`\n${subjects.length - failed} passed, ${failed} failed`);
process.exitCode = failed > 0 || subjects.length === 0 ? 1 : 0;

/** Whether a pattern contains `*`, `+` or `{n,}` outside character classes. */
function isUnbounded({ source }) {
  const repetitions = source.replaceAll(/\\.|\[(?:\\.|[^\]\\])*\]/g, 'x');
  return /[*+]|\{\d+,\}/.test(repetitions);
}

function readsTooMuch(run, text) {
  const [short, long] = [COUNTED_LENGTH, COUNTED_LENGTH * FACTOR].map((length) => {
    const given = text(length);
    return unitsReadBy(() => run(given)) / length;
  });
  return long / Math.max(short, 1) > MAX_COUNTED_GROWTH;
}

function isSlow(run, text) {
  return Array.from({ length: ATTEMPTS }, () => run).every(() => growthOf(run, text) > MAX_GROWTH);
}

/** The growth of the time per unit of text. */
function growthOf(run, text) {
  const long = text(LENGTH * FACTOR);
  const longTime = timeOf(() => run(long), 1);
  if (longTime < MIN_TIME) return 1;
  const short = text(LENGTH);
  return (
    timeOf(() => run(long), 2) /
    FACTOR /
    Math.max(
      timeOf(() => run(short), 3),
      MIN_TIME / FACTOR,
    )
  );
}

/** CPU time in microseconds, the best of some runs. */
function timeOf(work, runs) {
  const times = Array.from({ length: runs }, () => {
    const { user } = process.cpuUsage();
    work();
    return process.cpuUsage().user - user;
  });
  return Math.min(...times);
}

function fill(unit) {
  return (length) => unit.repeat(Math.ceil(length / unit.length)).slice(0, length);
}
