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

const LETTER = /\p{L}/gu;

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
  'gu',
);
const COMMON = new Set(LEXICONS.flatMap((lexicon) => lexicon.words('common')));

/** Whether a text is in a language that has a lexicon, by its letters and, in Latin ones, its common words. */
export function canRead(text: string): boolean {
  const beginning = text.slice(0, BEGINNING);
  const letters = beginning.match(LETTER)?.length ?? 0;
  if ((beginning.match(OF_SCRIPTS)?.length ?? 0) < letters * MIN_READ) return false;
  const words = beginning.toLowerCase().match(/\p{Script=Latin}+/gu) ?? [];
  if (words.length < MIN_WORDS) return true;
  return words.filter((word) => COMMON.has(word)).length >= words.length * COMMON_WORDS;
}
