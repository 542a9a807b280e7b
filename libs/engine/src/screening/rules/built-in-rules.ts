import type { ScreeningRule } from '#contracts/screening.js';
import { DELIMITER_FORGERY } from './delimiter-forgery.js';
import { EMBEDDED_CUES } from './embedded.js';
import { FORBIDDEN_REFUSALS } from './forbidden-refusals.js';
import { INDIRECT_INJECTION } from './indirect-injection.js';
import { INSTRUCTION_OVERRIDE } from './instruction-override.js';
import { NEW_INSTRUCTIONS } from './new-instructions.js';
import { PROMPT_EXTRACTION } from './prompt-extraction.js';
import { ROLE_IN_FICTION } from './role-in-fiction.js';
import { ROLE_OVERRIDE } from './role-override.js';
import { type RuleGroup, rulesOf } from './rule-group.js';
import { SECRET_EXFILTRATION } from './secret-exfiltration.js';
import { TOOL_ABUSE } from './tool-abuse.js';
import { ARABIC } from './languages/arabic.js';
import { CHINESE } from './languages/chinese.js';
import { FRENCH } from './languages/french.js';
import { GERMAN } from './languages/german.js';
import { HINDI } from './languages/hindi.js';
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
  HINDI,
];

/** The rules of the package by group, in the order of evaluation. */
export const BUILT_IN_GROUPS: readonly RuleGroup[] = [
  ...INSTRUCTION_OVERRIDE,
  ...NEW_INSTRUCTIONS,
  ...PROMPT_EXTRACTION,
  ...ROLE_OVERRIDE,
  ...FORBIDDEN_REFUSALS,
  ...ROLE_IN_FICTION,
  ...SECRET_EXFILTRATION,
  ...TOOL_ABUSE,
  ...DELIMITER_FORGERY,
  ...INDIRECT_INJECTION,
  ...LANGUAGES.flatMap(languagePack),
  ...EMBEDDED_CUES,
];

export const BUILT_IN_RULES: readonly ScreeningRule[] = BUILT_IN_GROUPS.flatMap(rulesOf);

export const GROUP_DESCRIPTIONS: ReadonlyMap<string, string> = new Map(
  BUILT_IN_GROUPS.map(({ id, description }) => [id, description]),
);

/**
 * The ids under which the matches of a rule are recorded. Those of a group are its own, which earlier versions and
 * replacements record, and those of its rules.
 */
export function ruleIdsOf(id: string): readonly string[] {
  return [id, ...BUILT_IN_RULES.filter(({ group }) => group === id).map((rule) => rule.id)];
}

/** Families, groups and rules with ideas that honest documents have, too: modes of machines, passwords, contracts, role plays. */
const SHARED_IDEAS: ReadonlySet<string> = new Set([
  'delimiter_forgery',
  'prompt_extraction',
  'role_override',
  'secret_exfiltration',
  'tool_abuse',
  'instruction_override.act_without_instructions',
  'instruction_override.declared_void',
  'instruction_override.end_of_prompt',
  'instruction_override.ignore_every_instruction.ignore_rules',
  'instruction_override.ignore_every_instruction.override',
  'instruction_override.ignore_told',
  'instruction_override.new_instructions',
  'instruction_override.remove_previous',
  'instruction_override.stop_everything',
  'instruction_override.task_finished',
]);

/** Groups of these families that honest documents do not contain. */
const OWN_IDEAS: ReadonlySet<string> = new Set([
  'secret_exfiltration.image_beacon',
  'tool_abuse.without_consent',
]);

/**
 * Whether a match in a document counts only near a match of another family of rules. Rules of low confidence block under
 * `strict` only, where a missed instruction is worse than a false alarm.
 */
export function needsSecondSign({ id, group = id, confidence }: ScreeningRule): boolean {
  if (confidence === 'low' || OWN_IDEAS.has(group)) return false;
  return [id, group, id.split('.', 1)[0] ?? id].some((idea) => SHARED_IDEAS.has(idea));
}
