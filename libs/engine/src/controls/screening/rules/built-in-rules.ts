import type { ScreeningRule } from '#contracts/screening/screening.js';
import { cuesOf } from '../cues/cue-patterns.js';
import { ENGLISH } from '../lexicons/english.js';
import type { Lexicon } from '../lexicons/lexicon.js';
import { LEXICONS } from '../lexicons/lexicons.js';
import { DELIMITER_FORGERY } from './delimiter-forgery.js';
import { EMBEDDED } from './embedded.js';
import { FORBIDDEN_REFUSALS } from './forbidden-refusals.js';
import { INDIRECT_INJECTION } from './indirect-injection.js';
import { INSTRUCTION_OVERRIDE } from './instruction-override.js';
import { NEW_INSTRUCTIONS } from './new-instructions.js';
import { OTHER_LANGUAGES } from './other-languages.js';
import { PROMPT_EXTRACTION } from './prompt-extraction.js';
import { ROLE_IN_FICTION } from './role-in-fiction.js';
import { ROLE_OVERRIDE } from './role-override.js';
import { groupsIn, type RuleGroup, rulesOf, wordsOf } from './rule-text.js';
import { SECRET_EXFILTRATION } from './secret-exfiltration.js';
import { TOOL_ABUSE } from './tool-abuse.js';

const ENGLISH_RULES = [
  INSTRUCTION_OVERRIDE,
  NEW_INSTRUCTIONS,
  PROMPT_EXTRACTION,
  ROLE_OVERRIDE,
  FORBIDDEN_REFUSALS,
  ROLE_IN_FICTION,
  SECRET_EXFILTRATION,
  TOOL_ABUSE,
  DELIMITER_FORGERY,
  INDIRECT_INJECTION,
];

/** The rules of another language, for those names of which its lexicon shows texts. */
function groupsOf(lexicon: Lexicon): readonly RuleGroup[] {
  const inLanguage = (description: string) => `${description} Language: ${lexicon.name}.`;
  return groupsIn(OTHER_LANGUAGES, wordsOf(lexicon))
    .map(({ id, description, rules, ...group }) => ({
      ...group,
      id: `${id}.${lexicon.id}`,
      description: inLanguage(description),
      rules: rules.flatMap((rule) => {
        const cases = lexicon.cases(rule.name);
        return cases === null ? [] : [{ ...rule, ...cases, description: inLanguage(rule.description) }];
      }),
    }))
    .filter(({ rules }) => rules.length > 0);
}

/** The rules of the package by group, in the order of evaluation. */
export const BUILT_IN_GROUPS: readonly RuleGroup[] = [
  ...ENGLISH_RULES.flatMap((text) => groupsIn(text, wordsOf(ENGLISH))),
  ...LEXICONS.flatMap(groupsOf),
  ...groupsIn(EMBEDDED, cuesOf),
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
  'instruction_override.ignore_own_rules.break',
  'instruction_override.ignore_own_rules.bypass',
  'instruction_override.ignore_told',
  'instruction_override.new_instructions',
  'instruction_override.remove_previous',
  'instruction_override.stop_everything',
  'instruction_override.task_finished',
]);

/** Groups of these families that honest documents do not contain. */
const OWN_IDEAS: ReadonlySet<string> = new Set(['secret_exfiltration.image_beacon']);

/**
 * Whether a match in a document counts only near a match of another family of rules. Rules of low confidence block under
 * `strict` only, where a missed instruction is worse than a false alarm.
 */
export function needsSecondSign({ id, group = id, confidence }: ScreeningRule): boolean {
  if (confidence === 'low' || OWN_IDEAS.has(group)) return false;
  return [id, group, id.split('.', 1)[0] ?? id].some((idea) => SHARED_IDEAS.has(idea));
}
