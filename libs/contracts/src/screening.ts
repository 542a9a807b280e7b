import type { ControlMode, ModeName, Outcome } from './control-mode.js';
import type { Settings } from './settings/settings.js';
import type { Span } from './span.js';

/** Where a text came from. */
export const ORIGINS = ['prompt', 'document', 'tool_result', 'tool_call', 'output', 'approval'] as const;

export type Origin = (typeof ORIGINS)[number];

/** What the host knows about a call. Nothing in it comes from the model. */
export interface DecisionContext {
  /** The authenticated user on whose behalf the model runs. */
  readonly principalId?: string;
  readonly application?: string;
  /** One run of an agent; a destructive call is parked at most once per run and step. */
  readonly runId?: string;
  readonly requestId?: string;
}

export interface ScreeningContext extends DecisionContext {
  /** Default `prompt`. */
  readonly origin?: 'prompt' | 'document' | 'tool_result';
}

export const SEVERITIES = ['low', 'medium', 'high', 'critical'] as const;

export type Severity = (typeof SEVERITIES)[number];

export interface ScreeningRule {
  /** `^[a-z][a-z0-9_.-]{0,99}$` */
  readonly id: string;
  /** `/pattern/flags` or bare (then case-insensitive), run by the linear engine on the normalised text. */
  readonly pattern: string;
  readonly description: string;
  readonly severity: Severity;
  readonly tags: readonly string[];
  /** Overrides the control's mode for this rule alone. */
  readonly mode?: ModeName;
}

export const RULE_SOURCES = ['built_in', 'settings'] as const;

/** `settings` also where an operator's pattern stands under the id of a built-in rule. */
export type RuleSource = (typeof RULE_SOURCES)[number];

/** A rule as it stands under some settings. */
export interface RuleInForce extends Omit<ScreeningRule, 'mode'> {
  readonly source: RuleSource;
  /** What a match comes to: the weaker of the control's mode and the rule's own. */
  readonly mode: ControlMode;
}

/** A rule that matched. In the engine the span counts UTF-16 units of the text as given; in records, its UTF-8 bytes. */
export interface MatchedRule {
  readonly ruleId: string;
  readonly span: Span;
}

/**
 * A host's own judgement beside the rules. One that throws or takes too long counts as could-not-judge and
 * follows `pattern_safety.on_match_error`.
 */
export abstract class Screener {
  /** Stands where a rule id stands: `^[a-z][a-z0-9_.-]{0,99}$`. */
  abstract readonly id: string;

  /** Spans (UTF-16) of what it objects to; an empty list objects to nothing. */
  abstract screen(text: string, context: ScreeningContext): readonly Span[] | Promise<readonly Span[]>;
}

/** Verdict, action and could-not-judge are three facts, never one flag. */
export interface ScreeningVerdict {
  /** The rules' verdict: at least one matched. */
  readonly matched: boolean;
  /** The action, given the mode. */
  readonly blocked: boolean;
  readonly outcome: Outcome;
  /** A rule or screener failed, or the text was too long to be judged. */
  readonly couldNotJudge: boolean;
  readonly mode: ControlMode;
  /** The rule that decided; `null` when none matched. */
  readonly ruleId: string | null;
  readonly matchedRules: readonly MatchedRule[];
  /** The ways of reading the text that showed them: `normalized`, `base64`, `leet` … */
  readonly matchedViews: readonly string[];
  readonly erroredRuleIds: readonly string[];
  /** What to tell the user in place of an answer; carries no rule id. `null` unless blocked. */
  readonly refusalMessage: string | null;
  readonly rulesetVersion: string;
  readonly durationUs: number;
  /** The evidence row; `null` where nothing was recorded (control off) or the policy is buffered. */
  readonly auditId: number | null;
}

/** Names the rules in force: stamped on every decision, so that a change of rules can never hide. */
export abstract class Rulebook {
  /** `<label>-<12 hex>`, from the content of the rules: changed at once by any change, and back again by its reversal. */
  abstract rulesetVersion(settings: Settings): string;

  /** In the order in which they are asked; a silenced rule stands in its place, and its mode is off. */
  abstract rulesInForce(settings: Settings): readonly RuleInForce[];
}
