import type { ScreeningRule } from '../../../contracts/src/screening.js';
import { DELIMITER_FORGERY } from './rules/delimiter-forgery.js';
import { INDIRECT_INJECTION } from './rules/indirect-injection.js';
import { INSTRUCTION_OVERRIDE } from './rules/instruction-override.js';
import { MULTILINGUAL } from './rules/languages/languages.js';
import { PROMPT_EXTRACTION } from './rules/prompt-extraction.js';
import { ROLE_OVERRIDE } from './rules/role-override.js';
import { SECRET_EXFILTRATION } from './rules/secret-exfiltration.js';
import { TOOL_ABUSE } from './rules/tool-abuse.js';

/** The rules that ship with the package, pack by pack, in the order in which they are asked. */
export const BUILT_IN_RULES: readonly ScreeningRule[] = [
  ...INSTRUCTION_OVERRIDE,
  ...PROMPT_EXTRACTION,
  ...ROLE_OVERRIDE,
  ...SECRET_EXFILTRATION,
  ...TOOL_ABUSE,
  ...DELIMITER_FORGERY,
  ...INDIRECT_INJECTION,
  ...MULTILINGUAL,
];
