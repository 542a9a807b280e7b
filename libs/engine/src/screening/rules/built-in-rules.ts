import type { ScreeningRule } from '#contracts/screening.js';
import { DELIMITER_FORGERY } from './delimiter-forgery.js';
import { EMBEDDED } from './embedded.js';
import { EMBEDDED_IN_LANGUAGES } from './embedded-languages.js';
import { INDIRECT_INJECTION } from './indirect-injection.js';
import { INSTRUCTION_OVERRIDE } from './instruction-override.js';
import { PROMPT_EXTRACTION } from './prompt-extraction.js';
import { ROLE_OVERRIDE } from './role-override.js';
import { SECRET_EXFILTRATION } from './secret-exfiltration.js';
import { TOOL_ABUSE } from './tool-abuse.js';
import { ARABIC } from './languages/arabic.js';
import { CHINESE } from './languages/chinese.js';
import { FRENCH } from './languages/french.js';
import { GERMAN } from './languages/german.js';
import { ITALIAN } from './languages/italian.js';
import { JAPANESE } from './languages/japanese.js';
import { type Language, languagePack } from './languages/language-pack.js';
import { PORTUGUESE } from './languages/portuguese.js';
import { RUSSIAN } from './languages/russian.js';
import { SPANISH } from './languages/spanish.js';

/** Languages other than English, which has its own packs. */
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

/** The rules of the package in the order of evaluation. */
export const BUILT_IN_RULES: readonly ScreeningRule[] = [
  ...INSTRUCTION_OVERRIDE,
  ...PROMPT_EXTRACTION,
  ...ROLE_OVERRIDE,
  ...SECRET_EXFILTRATION,
  ...TOOL_ABUSE,
  ...DELIMITER_FORGERY,
  ...INDIRECT_INJECTION,
  ...LANGUAGES.flatMap(languagePack),
  ...EMBEDDED,
  ...EMBEDDED_IN_LANGUAGES,
];
