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
