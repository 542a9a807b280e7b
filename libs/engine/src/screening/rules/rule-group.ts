import type {
  Confidence,
  RuleExplanation,
  ScreenedOrigin,
  ScreeningRule,
  Severity,
} from '#contracts/screening.js';

/** Rules about one idea, in the order of evaluation. */
export interface RuleGroup {
  /** Settings, filters and records of earlier versions may name it. */
  readonly id: string;
  readonly description: string;
  /** Why such texts are suspicious. Holds for all its rules. */
  readonly rationale: string;
  readonly severity: Severity;
  readonly tags: readonly string[];
  /** Default: all. */
  readonly origins?: readonly ScreenedOrigin[];
  /** Default `high`. */
  readonly confidence?: Confidence;
  readonly rules: readonly GroupedRule[];
}

export interface GroupedRule extends Omit<RuleExplanation, 'rationale'> {
  /** Follows the id of the group and a point. */
  readonly name: string;
  /** At most 400 characters; case-insensitive, on the normalized text. */
  readonly pattern: string;
  /** Default: that of the group. */
  readonly confidence?: Confidence;
}

/** What groups of rules for documents and results of tools share. */
export const DOCUMENTS = {
  origins: ['document', 'tool_result'],
  severity: 'high',
  tags: ['embedded'],
} as const;

export function rulesOf({ id: group, rules, ...shared }: RuleGroup): readonly ScreeningRule[] {
  return rules.map(({ name, ...rule }) => ({ ...shared, ...rule, id: `${group}.${name}`, group }));
}
