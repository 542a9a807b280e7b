import type { ScreeningRule } from '#contracts/screening.js';
import { DELIMITER_FORGERY } from './delimiter-forgery.js';
import { EMBEDDED } from './embedded.js';
import { EMBEDDED_IN_LANGUAGES } from './embedded-languages.js';
import { INDIRECT_INJECTION } from './indirect-injection.js';
import { INSTRUCTION_OVERRIDE } from './instruction-override.js';
import { PROMPT_EXTRACTION } from './prompt-extraction.js';
import { ROLE_OVERRIDE } from './role-override.js';
import { type RuleGroup, rulesOf } from './rule-group.js';
import { SECRET_EXFILTRATION } from './secret-exfiltration.js';
import { TOOL_ABUSE } from './tool-abuse.js';
import { ARABIC } from './languages/arabic.js';
import { BENGALI } from './languages/bengali.js';
import { CHINESE } from './languages/chinese.js';
import { FRENCH } from './languages/french.js';
import { GERMAN } from './languages/german.js';
import { HINDI } from './languages/hindi.js';
import { INDONESIAN } from './languages/indonesian.js';
import { ITALIAN } from './languages/italian.js';
import { JAPANESE } from './languages/japanese.js';
import { type Language, languagePack } from './languages/language-pack.js';
import { MARATHI } from './languages/marathi.js';
import { PORTUGUESE } from './languages/portuguese.js';
import { RUSSIAN } from './languages/russian.js';
import { SPANISH } from './languages/spanish.js';
import { URDU } from './languages/urdu.js';

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
  HINDI,
  BENGALI,
  URDU,
  INDONESIAN,
  MARATHI,
];

/** The rules of the package by group, in the order of evaluation. */
export const BUILT_IN_GROUPS: readonly RuleGroup[] = [
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

export const BUILT_IN_RULES: readonly ScreeningRule[] = BUILT_IN_GROUPS.flatMap(rulesOf);
