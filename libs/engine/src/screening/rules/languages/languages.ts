import { ARABIC } from './arabic.js';
import { CHINESE } from './chinese.js';
import { FRENCH } from './french.js';
import { GERMAN } from './german.js';
import { ITALIAN } from './italian.js';
import { JAPANESE } from './japanese.js';
import type { Language } from './language.js';
import { languagePack } from './language-pack.js';
import { PORTUGUESE } from './portuguese.js';
import { RUSSIAN } from './russian.js';
import { SPANISH } from './spanish.js';

/** The languages beside English, which has packs of its own. */
const LANGUAGES: readonly Language[] = [
  GERMAN,
  SPANISH,
  FRENCH,
  ITALIAN,
  PORTUGUESE,
  RUSSIAN,
  CHINESE,
  JAPANESE,
  ARABIC,
];

export const MULTILINGUAL = LANGUAGES.flatMap(languagePack);
