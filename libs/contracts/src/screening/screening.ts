import type { ControlKey, ControlMode, ModeName, Outcome } from '../common/control-mode.js';
import type { ByteSpan, Utf16Span } from '../common/spans.js';

/** Source of a text. */
export const ORIGINS = ['prompt', 'document', 'tool_result', 'tool_call', 'output', 'approval'] as const;

/** Where a recorded text comes from, such as `prompt` or `tool_result`. */
export type Origin = (typeof ORIGINS)[number];

/** Facts about a call from the host. Nothing in it comes from the model. */
export interface DecisionContext {
  /** The authenticated user for whom the model runs. */
  readonly principalId?: string;
  readonly application?: string;
  /** One run of an agent; the same destructive call of a run and step waits for approval at most once. */
  readonly runId?: string;
  readonly requestId?: string;
}

/** The facts of a context as they are recorded. */
type RecordedContext = { readonly [Fact in keyof DecisionContext]-?: string | null };

export function recordedContext(context: DecisionContext): RecordedContext {
  return {
    principalId: context.principalId ?? null,
    application: context.application ?? null,
    requestId: context.requestId ?? null,
    runId: context.runId ?? null,
  };
}

/** What evidence and events of a decision have in common. */
export interface DecisionRecord extends RecordedContext {
  readonly occurredAt: Date;
  readonly control: ControlKey;
  readonly outcome: Outcome;
  /** Never `off`: a control that is off makes no decision. */
  readonly mode: Exclude<ModeName, 'off'>;
  readonly origin: Origin;
  /** The rule that decided. Rule ids have at most 100 characters; other texts have no limit. */
  readonly ruleId: string | null;
  /** A rule or screener failed, or the text was too long. */
  readonly errored: boolean;
  readonly tool: string | null;
  readonly rulesetVersion: string;
  /** Code points of the text as the caller sent it. */
  readonly promptLength: number;
  readonly durationUs: number;
}

/** Sources of texts that are screened. */
export const SCREENED_ORIGINS = ['prompt', 'document', 'tool_result'] as const;

export type ScreenedOrigin = (typeof SCREENED_ORIGINS)[number];

/** The run of a text or call, and the one that handed over to it. */
export interface RunContext extends DecisionContext {
  /** What that run has read holds here, too. */
  readonly parentRunId?: string;
}

/** For whom a text is screened, and where it comes from. */
export interface ScreeningContext extends RunContext {
  /** Default `prompt`. */
  readonly origin?: ScreenedOrigin;
  /** The tool whose result the text is. */
  readonly tool?: string;
  /**
   * Of a prompt: what its author typed. Every word of it vouches for arguments of the calls of the run, also of a short text that
   * was pasted. Lines quoted with `>`, code fences, forwarded messages and blocks of more than 500 characters do not. Default: the
   * prompt. `''`: nothing.
   */
  readonly userText?: string;
}

export const SEVERITIES = ['low', 'medium', 'high', 'critical'] as const;

/** The severity of a rule or an event. */
export type Severity = (typeof SEVERITIES)[number];

/** How sure a match of a rule is: `low` rules also match harmless texts. */
export const CONFIDENCES = ['high', 'medium', 'low'] as const;

export type Confidence = (typeof CONFIDENCES)[number];

/** Which rules may block: `lenient` those of high confidence, `balanced` also medium, `strict` all. Others observe. */
export const PROFILES = ['lenient', 'balanced', 'strict'] as const;

export type Profile = (typeof PROFILES)[number];

/** What a reader needs to judge a rule. */
export interface RuleExplanation {
  readonly description: string;
  /** Why such a text is suspicious. */
  readonly rationale: string;
  /** Texts that the rule finds. */
  readonly examples: readonly string[];
  /** Similar harmless texts that it does not find. */
  readonly nearMisses: readonly string[];
}

export interface ScreeningRule extends Partial<Omit<RuleExplanation, 'description'>> {
  /** `^[a-z][a-z0-9_.-]{0,99}$` */
  readonly id: string;
  /** A mode, a replacement or an exception of the group applies to all its rules. Default: a group with this rule alone. */
  readonly group?: string;
  /** `/pattern/flags`, or bare and then case-insensitive; runs in the linear engine on the normalized text. */
  readonly pattern: string;
  readonly description: string;
  readonly severity: Severity;
  readonly tags: readonly string[];
  /** Overrides the control's mode for this rule. */
  readonly mode?: ModeName;
  /** The texts to which it applies. Default: all. */
  readonly origins?: readonly ScreenedOrigin[];
  /** Default `high`. */
  readonly confidence?: Confidence;
}

export const RULE_SOURCES = ['built_in', 'settings'] as const;

/** `settings` also where an operator's pattern replaces a built-in rule. */
export type RuleSource = (typeof RULE_SOURCES)[number];

/** A rule under the current settings. */
export interface RuleInForce extends Required<Omit<ScreeningRule, 'mode'>> {
  readonly source: RuleSource;
  /** The weaker of the control's mode and the rule's mode. */
  readonly mode: ControlMode;
}

/** A group of rules under the current settings. A rule without a group forms one alone. */
export interface RuleGroupInForce {
  readonly id: string;
  readonly description: string;
  readonly ruleIds: readonly string[];
  /** The ids under which its matches are recorded, also by earlier versions and under other settings. */
  readonly recordedIds: readonly string[];
}

/** Where a screener comes from. */
export const SCREENER_SOURCES = ['built_in', 'host'] as const;

export type ScreenerSource = (typeof SCREENER_SOURCES)[number];

/** A screener under the current settings. */
export interface ScreenerInForce {
  readonly id: string;
  readonly source: ScreenerSource;
  /** The weaker of the control's mode and the screener's mode. */
  readonly mode: ControlMode;
}

/** A removed rule or group under the current settings. */
export interface RetiredRule {
  readonly id: string;
  /** Its mode in `rule_modes`. */
  readonly mode: ModeName | null;
  /** How many exceptions name it. */
  readonly exceptions: number;
}

/** Forms in which a text mentions an instruction without giving it. */
export const MENTION_FORMS = ['quotation', 'block', 'report', 'alone'] as const;

/**
 * `quotation`: in quotation marks or in the string of a program. `block`: in a code block, a block quote, a table or a list.
 * `report`: in indirect speech, in a sentence to people, or in a record such as a test. `alone`: without the second sign
 * that its rule needs in documents.
 */
export type MentionForm = (typeof MENTION_FORMS)[number];

/** A rule that matched. The span is in UTF-16 units of the text. */
export interface MatchedRule {
  readonly ruleId: string;
  readonly span: Utf16Span;
  /** Set where the match did not count for the verdict, because of an exception. */
  readonly exception?: true;
  /** Set where a document mentions the instruction and does not give it, so that the match was only recorded. */
  readonly mentioned?: MentionForm;
  /** The score of the text, from a screener that uses scores. */
  readonly score?: number;
  /** The score above which the screener objects. */
  readonly threshold?: number;
  /** Only in records. There is no match: the screener did not judge the text, for example because of its language. */
  readonly notJudged?: true;
}

/** A match in a record. The span is in UTF-8 bytes of the stored text; `null` where that does not contain the match. */
export type RecordedMatch = Omit<MatchedRule, 'span'> & { readonly span: ByteSpan | null };

/** Whether it is a match that counted for the verdict. */
export function isCounted({ exception, notJudged }: Pick<MatchedRule, 'exception' | 'notJudged'>): boolean {
  return exception !== true && notJudged !== true;
}

/** A literal phrase in which matches of a rule do not count, until it ends. Named as in `PUT /settings`. */
export interface ScreeningException {
  /** A rule, a group of rules or a screener. */
  readonly rule_id: string;
  /** Compared exactly, unit by unit, with the text as the caller sent it. */
  readonly phrase: string;
  /** Default: every application, and calls without one. */
  readonly application?: string;
  readonly reason: string;
  /** ISO-8601 in UTC. */
  readonly ends_at: string;
}

/** In place of a screener: no language of the built-in rules is that of the text. */
export const RULES_ID = 'rules';

/** The built-in screener. No custom rule or screener can have this id. */
export const CLASSIFIER_ID = 'classifier';

/** The thresholds of the classifier: the higher one is, the less it finds, and the fewer false alarms it has. */
export const CLASSIFIER_THRESHOLDS = ['low', 'medium', 'high'] as const;

export type ClassifierThreshold = (typeof CLASSIFIER_THRESHOLDS)[number];

/** What a screener found, with facts that are recorded. */
export interface ScreenerJudgement {
  /** Spans (UTF-16) of the objections; empty without any. */
  readonly spans: readonly Utf16Span[];
  /** Recorded with the spans. */
  readonly score?: number;
  /** Recorded with the spans. */
  readonly threshold?: number;
  /** The text is of a kind that the screener does not judge. Recorded; no error and no objection. */
  readonly notJudged?: true;
}

/** A custom check beside the rules. If it throws or is late, `pattern_safety.on_match_error` decides. */
export abstract class Screener {
  /** Recorded like a rule id: `^[a-z][a-z0-9_.-]{0,99}$`. */
  abstract readonly id: string;

  /** Part of `ruleset_version`: change it with everything that can change a result, for example with a model. */
  readonly version?: string;

  /** Spans (UTF-16) of the objections; empty without any. A judgement adds facts to the record. */
  abstract screen(
    text: string,
    context: ScreeningContext,
  ): readonly Utf16Span[] | ScreenerJudgement | Promise<readonly Utf16Span[] | ScreenerJudgement>;
}

/** Verdict, action and error are separate facts. */
export interface ScreeningVerdict {
  /** The verdict of the rules: at least one matched. */
  readonly matched: boolean;
  /** Whether the text is blocked in the current mode. */
  readonly blocked: boolean;
  readonly outcome: Outcome;
  /** A rule or screener failed, or the text was too long. */
  readonly couldNotJudge: boolean;
  readonly mode: ControlMode;
  /** The rule that decided; `null` when none matched. */
  readonly ruleId: string | null;
  /** First those that count, then those in an exception. */
  readonly matchedRules: readonly MatchedRule[];
  /** The decoded views of the text that matched: `normalized`, `base64`, `leet` … */
  readonly matchedViews: readonly string[];
  readonly erroredRuleIds: readonly string[];
  /** Screeners that do not judge such a text, for example in another language. No error. */
  readonly notJudgedIds: readonly string[];
  /** What to show the user instead of an answer; contains no rule id. `null` unless blocked. */
  readonly refusalMessage: string | null;
  readonly rulesetVersion: string;
  readonly durationUs: number;
  /** Id of the evidence; `null` where nothing was recorded (control off) or the write policy is buffered. */
  readonly auditId: number | null;
}
