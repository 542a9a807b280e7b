import { UNITS_PER_PAUSE } from '../resumable.js';
import { PAUSE, type Decoded } from './decoded-parts.js';
import { FIRST_LETTER, LETTERS, SHORTEST } from './inner-letters.js';
import type { Vocabulary } from './vocabulary.js';

/** A word without another one at most this far away can be a spelling mistake. */
const MAX_DISTANCE = 200;

/** Restores words of the patterns in which letters other than the first and the last are swapped. For folded text. */
export function* swapped(text: string, { innerLetters }: Vocabulary): Iterable<Decoded | typeof PAUSE> {
  const parts: Decoded[] = [];
  let pause = UNITS_PER_PAUSE;
  let start = 0;
  for (let at = 0; at <= text.length; at++) {
    const letter = text.charCodeAt(at) - FIRST_LETTER;
    if (letter >= 0 && letter < LETTERS) continue;
    if (at - start >= SHORTEST) {
      const word = innerLetters.hiddenIn(text, start, at);
      if (word !== null) parts.push({ start, end: start + word.length, text: word });
    }
    start = at + 1;
    if (at < pause) continue;
    pause = at + UNITS_PER_PAUSE;
    yield PAUSE;
  }
  const isNear = (one: Decoded | undefined, other: Decoded | undefined): boolean =>
    one !== undefined && other !== undefined && other.start - one.start <= MAX_DISTANCE;
  yield* parts.filter((part, at) => isNear(parts[at - 1], part) || isNear(part, parts[at + 1]));
}
