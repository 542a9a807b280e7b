import { LinearRegex, MAX_SPANS } from '../../dist/libs/engine/src/patterns/linear-regex.js';
import { PatternSet } from '../../dist/libs/engine/src/patterns/pattern-set.js';
import { runToEnd } from '../../dist/libs/engine/src/shared/resumable.js';
import { randomPattern, randomText } from './random-patterns.mjs';

const TEXTS = 4;

/**
 * Compares the linear engine, with and without the prefilter, with V8.
 *
 * @param {import('./random.mjs').Random} random
 * @param {number} rounds
 */
export function compare(random, rounds) {
  const failures = [];
  let compared = 0;
  let matched = 0;
  for (let round = 0; round < rounds; round++) {
    const long = round % 2 === 1;
    const asked = random.some(3, () => randomPattern(random, !long)).flatMap(compiled);
    if (asked.length === 0) continue;
    const set = PatternSet.of(asked.map(({ regex }) => regex));
    for (let index = 0; index < TEXTS; index++) {
      const words = asked.some((pattern) => pattern.words);
      const text = randomText(random, { source: '', words }, long);
      const together = runToEnd(set.search(text));
      for (const [place, { regex, expected }] of asked.entries()) {
        const right = JSON.stringify(expected(text));
        compared += 1;
        if (right !== '[]') matched += 1;
        const alone = JSON.stringify(regex.spans(text));
        const filtered = JSON.stringify(together.get(place) ?? []);
        if (alone === right && filtered === right) continue;
        failures.push({ pattern: regex.pattern, text, right, alone, filtered });
      }
    }
  }
  return { compared, matched, failures };
}

/** Returns an empty list for a pattern that can match the empty text, because such patterns are rejected. */
function compiled(pattern) {
  try {
    const regex = LinearRegex.compile(`/${pattern.source}/${pattern.flags}`);
    const reference = new RegExp(pattern.source, `${pattern.flags}g`);
    const expected = (/** @type {string} */ text) =>
      Array.from(
        text.matchAll(reference).take?.(MAX_SPANS) ?? [...text.matchAll(reference)].slice(0, MAX_SPANS),
        (match) => [match.index, match.index + match[0].length],
      );
    return [{ regex, expected, words: pattern.words }];
  } catch (error) {
    if (error instanceof Error && error.name === 'PatternError') return [];
    throw error;
  }
}
