import type { ControlMode } from '../../../contracts/src/control-mode.js';
import type { MatchedRule } from '../../../contracts/src/screening.js';

/** What the rules and screeners say about a text. What is done about it is the caller's to decide. */
export interface Judgement {
  /** At least one rule or screener matched. */
  readonly matched: boolean;
  /** Something could not be asked: never a reason to believe that it would have said no. */
  readonly couldNotJudge: boolean;
  readonly reason: 'too_long' | 'rule_error' | null;
  /** The rule that decides: the first match that enforces, else the first match. `null` when none matched. */
  readonly ruleId: string | null;
  /**
   * The mode of the rule that decides: the weaker of the control's mode and the rule's own, so a rule can
   * observe while the control enforces, and never enforces while the control observes. Without a match, the control's.
   */
  readonly ruleMode: ControlMode;
  /**
   * UTF-16 spans in the text as given, at most 16 for each rule. First the first span of each matched rule in
   * the order of the rules, then the others.
   */
  readonly matchedRules: readonly MatchedRule[];
  /** The ways of reading the text in which something was found that no earlier one had shown: `normalised`, `base64` … */
  readonly matchedViews: readonly string[];
  readonly erroredRuleIds: readonly string[];
  /** The screeners among them, with the reason of each. */
  readonly failures: readonly ScreenerFailure[];
  readonly rulesetVersion: string;
  readonly durationUs: number;
  /** The text as the rules read it; empty where it was too long to be read. */
  readonly normalised: string;
  /** What normalisation changed, by name. */
  readonly steps: readonly string[];
}

/** A screener that threw, timed out or returned an invalid span. */
export interface ScreenerFailure {
  readonly id: string;
  readonly reason: string;
}
