import type { RuleListData } from '../../libs/contracts/src/api/responses.js';
import type { RulesReading } from '../../libs/engine/src/overview/overview.js';

export function presentRules({ rules, rulesetVersion, asOf }: RulesReading): RuleListData {
  return {
    rules: rules.map(({ mode, hits, ...rule }) => ({ ...rule, mode: mode.name, hits_24h: hits })),
    ruleset_version: rulesetVersion,
    as_of: asOf.toISOString(),
  };
}
