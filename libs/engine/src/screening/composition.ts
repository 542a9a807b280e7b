import { isMark } from './code-point-classes.js';

/**
 * Marks that one character keeps, as in the Stream-Safe Text Format: composing a tower of marks costs
 * the square of its height.
 */
export const TALLEST_TOWER = 30;

const MOST_REMEMBERED = 8192;

const composed = new Map<string, string>();

/** One cluster (a character and what joins it) in its compatibility form, and in small letters. */
export function foldCluster(cluster: string, nfkc: boolean, foldCase: boolean): string {
  const key = `${nfkc ? 'n' : ''}${foldCase ? 'c' : ''}:${cluster}`;
  const known = composed.get(key);
  if (known !== undefined) return known;
  const folded = settle(cluster, nfkc, foldCase);
  if (composed.size < MOST_REMEMBERED) composed.set(key, folded);
  return folded;
}

/** Small letters can compose where capitals could not, so it goes round until nothing moves. */
function settle(cluster: string, nfkc: boolean, foldCase: boolean): string {
  let current = cluster;
  for (;;) {
    let next = nfkc ? withoutTower(current.normalize('NFKC')) : current;
    if (foldCase) next = smallLetters(next);
    if (next === current) return next;
    current = next;
  }
}

/** Per code point: the small sigma must not depend on where a word ends. */
function smallLetters(text: string): string {
  let small = '';
  for (const character of text) small += character.toLowerCase();
  return small;
}

function withoutTower(text: string): string {
  if (text.length <= TALLEST_TOWER) return text;
  let kept = '';
  let height = 0;
  for (const character of text) {
    height = isMark(character) ? height + 1 : 0;
    if (height <= TALLEST_TOWER) kept += character;
  }
  return kept;
}
