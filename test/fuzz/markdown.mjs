import { parseArgs } from 'node:util';
import * as settings from '../../dist/libs/contracts/src/settings/settings.js';
import * as sanitizer from '../../dist/libs/engine/src/controls/output/sanitizer.js';
import { examples, hostile, orderly } from './markdown/families.mjs';
import { scannerOf } from './markdown/scanner.mjs';
import { Random, seedFrom } from './random.mjs';

// Compares the Markdown scanner with micromark and the extensions of GFM.

const { values } = parseArgs({ options: { seed: { type: 'string' }, texts: { type: 'string' } } });
const seed = seedFrom(values.seed);
const most = Number(values.texts ?? 100_000);

const TURN = 5000;
const SHARES = /** @type {const} */ ([
  ['orderly', orderly, 0.3],
  ['hostile', hostile, 0.7],
]);

const scanner = scannerOf({ ...settings, ...sanitizer });
const random = new Random(seed);
let passed = 0;
let failed = 0;

console.log(`${most} texts`);
note('the examples of CommonMark and GFM', examples(scanner));
for (const [name, compare, share] of SHARES) {
  for (let left = Math.ceil(most * share); left > 0; left -= TURN) {
    note(`${name} texts`, compare(scanner, random, Math.min(TURN, left)));
  }
}
console.log(`\n${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;

/** @param {string} name @param {import('./markdown/families.mjs').Outcome} outcome */
function note(name, { texts, forbidden, exact, failures }) {
  passed += texts - Math.min(texts, failures.length);
  failed += failures.length;
  const share = forbidden > 0 ? `, ${((100 * exact) / forbidden).toFixed(2)} % at the same place` : '';
  console.log(
    `${name}: ${texts} (${Math.round(performance.now() / 1000)} s), ${forbidden} forbidden${share}`,
  );
  for (const { reason, text } of failures.slice(0, 10)) console.log('FAILED', reason, JSON.stringify(text));
}
