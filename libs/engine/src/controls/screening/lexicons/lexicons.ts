import { ARABIC } from './arabic.js';
import { CHINESE } from './chinese.js';
import { DUTCH } from './dutch.js';
import { ENGLISH } from './english.js';
import { FRENCH } from './french.js';
import { GERMAN } from './german.js';
import { HINDI } from './hindi.js';
import { ITALIAN } from './italian.js';
import { JAPANESE } from './japanese.js';
import type { Lexicon } from './lexicon.js';
import { POLISH } from './polish.js';
import { PORTUGUESE } from './portuguese.js';
import { RUSSIAN } from './russian.js';
import { SPANISH } from './spanish.js';

/** The languages that the rules read, in the order of evaluation. */
export const LEXICONS: readonly Lexicon[] = [
  ENGLISH,
  GERMAN,
  SPANISH,
  FRENCH,
  ITALIAN,
  PORTUGUESE,
  RUSSIAN,
  CHINESE,
  JAPANESE,
  ARABIC,
  HINDI,
  DUTCH,
  POLISH,
];

/** Of the letters of a text. Names and quotes may have others. */
const MIN_READ = 0.5;

/** In a text in Latin letters of at least this many words, one in twelve is a common word of its language. */
const MIN_WORDS = 8;
const COMMON_WORDS = 1 / 12;

/** Units at the beginning of a text that show its language. */
const BEGINNING = 2000;

const OF_SCRIPTS = new RegExp(
  [...new Set(LEXICONS.flatMap((lexicon) => lexicon.words('script')))]
    .map((script) => String.raw`\p{Script=${script}}`)
    .join('|'),
  'u',
);
const COMMON = new Set(LEXICONS.flatMap((lexicon) => lexicon.words('common')));

/** Of each unit after its first use: 1 is a letter that a lexicon reads, 2 another letter, 3 none. */
const kinds = new Uint8Array(0x10000);

function kindOf(codePoint: number): number {
  const character = String.fromCodePoint(codePoint);
  const kind = OF_SCRIPTS.test(character) ? 1 : /\p{L}/u.test(character) ? 2 : 3;
  kinds[codePoint] = kind;
  return kind;
}

/** Whether a text is in a language that has a lexicon, by its letters and, in Latin ones, its common words. */
export function canRead(text: string): boolean {
  const beginning = text.slice(0, BEGINNING);
  const counts = new Uint32Array(4);
  for (let at = 0; at < beginning.length; at++) {
    const codePoint = beginning.codePointAt(at) ?? 0;
    if (codePoint > 0xffff) at += 1;
    const kind = kinds[codePoint] || kindOf(codePoint);
    counts[kind] = (counts[kind] ?? 0) + 1;
  }
  const [, read = 0, others = 0] = counts;
  if (read < (read + others) * MIN_READ) return false;
  const words = beginning.toLowerCase().match(/\p{Script=Latin}+/gu) ?? [];
  if (words.length < MIN_WORDS) return true;
  return words.filter((word) => COMMON.has(word)).length >= words.length * COMMON_WORDS;
}
