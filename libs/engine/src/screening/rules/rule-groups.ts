import { BUILT_IN_GROUPS } from './built-in-rules.js';
import { rulesOf } from './rule-group.js';

const RULE_IDS: ReadonlyMap<string, readonly string[]> = new Map(
  BUILT_IN_GROUPS.map((group) => [group.id, rulesOf(group).map(({ id }) => id)]),
);

export const GROUP_DESCRIPTIONS: ReadonlyMap<string, string> = new Map(
  BUILT_IN_GROUPS.map(({ id, description }) => [id, description]),
);

/**
 * The ids under which the matches of a rule are recorded. Those of a group are its own, which earlier versions and
 * replacements record, and those of its rules.
 */
export function ruleIdsOf(id: string): readonly string[] {
  return [id, ...(RULE_IDS.get(id) ?? [])];
}
