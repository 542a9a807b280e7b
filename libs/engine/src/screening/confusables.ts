import { isMark } from './code-point-classes.js';
import { UNICODE_LOOK_ALIKES } from './confusables.data.js';

/** What Unicode's table does not hold, since a careful eye tells them apart: those who disguise text do not care. */
const LOOSER_LOOK_ALIKES: Readonly<Record<string, string>> = {
  D: 'ÐĐ',
  d: 'đɖ',
  e: 'єɛεҽ',
  f: 'ƒϝ',
  i: 'ɩ',
  l: 'łɭ',
  n: 'ηпɴռ',
  o: 'øə',
  r: 'гɾʀ',
  s: 'ʂ',
  u: 'цμ',
  w: 'ωɯ',
  z: 'ʐ',
};

const ASCII_OF: ReadonlyMap<string, string> = new Map(
  [UNICODE_LOOK_ALIKES, LOOSER_LOOK_ALIKES].flatMap((table) =>
    Object.entries(table).flatMap(([letter, alike]) =>
      Array.from(alike, (character): [string, string] => [character, letter]),
    ),
  ),
);

const ASCII_LETTER = /^[A-Za-z]$/;

/**
 * The ASCII letter that a reader takes this character for, if there is one: `а` and `á` are both taken for `a`.
 * Never for an ASCII character: folding `rn` to `m` would break honest words. Full-width and mathematical letters
 * are none of these, since NFKC folds them.
 */
export function asciiLookAlike(character: string): string | undefined {
  const known = ASCII_OF.get(character);
  if (known !== undefined) return known;
  const [base = '', ...marks] = Array.from(character.normalize('NFD'));
  if (marks.length === 0 || !marks.every(isMark)) return undefined;
  return ASCII_LETTER.test(base) ? base : ASCII_OF.get(base);
}
