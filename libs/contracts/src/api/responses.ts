import type { Outcome } from '../control-mode.js';
import type { EventName } from '../events.js';
import type { OutputKind } from '../output.js';
import type { RequirementName } from '../policies.js';
import type { Severity } from '../screening.js';
import type { Span } from '../text.js';
import type { MatchedRuleData } from '../audit/entry.js';

/** An event of the live stream. */
export interface EventData {
  /** Sequence number: the `Last-Event-ID` of the stream, and the range of a replay. */
  readonly sequence: number;
  readonly id: string;
  readonly name: EventName;
  readonly subject: string;
  readonly severity: Severity;
  readonly occurred_at: string;
  readonly audit_id: number | null;
  readonly payload: Readonly<Record<string, unknown>>;
}

/** The data of the event named `end`, which announces the planned end of a live stream. */
export interface StreamEndData {
  readonly stream: 'end';
  /** Reconnect with this number as `Last-Event-ID`. */
  readonly resume_after: number;
}

/** Response of `GET /events/sinks`: the state and the backlog of each sink. */
export interface EventSinksData {
  readonly sinks: readonly {
    readonly name: string;
    readonly state: 'closed' | 'open' | 'half_open' | 'resting' | 'unknown';
    readonly waiting: number;
    readonly retrying: number;
    readonly dead: number;
    readonly waiting_since: string | null;
    readonly lag_seconds: number;
    readonly delivered: number;
    readonly failed: number;
    readonly last_success_at: string | null;
    readonly last_failure_at: string | null;
    readonly last_error: string | null;
    readonly counted_since: string;
  }[];
  readonly as_of: string;
}

/** An event that could not be delivered to a sink. */
export interface DeadLetterData extends EventData {
  readonly attempts: number;
  readonly error: string | null;
  readonly died_at: string;
}

/** Response of `GET /events/sinks/{name}/dead`: events that a sink could not deliver. */
export interface EventDeadLettersData {
  readonly sink: string;
  readonly dead: readonly DeadLetterData[];
  readonly next_cursor: number | null;
}

/** Response of a replay: how many events were queued again. */
export interface EventReplayData {
  readonly sink: string;
  readonly queued: number;
  readonly next_from: number | null;
}

/** Response of a test delivery to one sink. */
export interface EventTestData {
  readonly sink: string;
  readonly event_id: string;
  readonly delivered: boolean;
  readonly error: string | null;
  readonly duration_ms: number;
}

/** Response of `POST /try/screen`. */
export interface TryScreenData {
  /** `true` if a rule matched in any mode; `false` if only the classifier objects, in monitor mode. */
  readonly blocked: boolean;
  /** What the mode in force would have done. */
  readonly action: Outcome;
  /** Whether `action` is `blocked`. */
  readonly would_enforce: boolean;
  readonly rule_id: string | null;
  readonly refusal_message: string | null;
  readonly ruleset_version: string;
  readonly matched_rules: readonly (MatchedRuleData & { readonly span: Span; readonly text: string })[];
  /** Screeners and rules that failed on this prompt. */
  /** Screeners that do not judge such a text, for example in another language. */
  readonly not_judged_rule_ids: readonly string[];
  readonly errored_screeners: readonly { readonly id: string; readonly reason: string }[];
  readonly normalized: string;
  readonly normalization_steps: readonly string[];
}

/** Response of `POST /try/sanitize`. */
export interface TrySanitizeData {
  readonly sanitized: string;
  readonly kinds: Readonly<Record<OutputKind, number>>;
  readonly findings: readonly {
    readonly kind: OutputKind;
    readonly detector: string;
    /** Position in the text that was sent. */
    readonly span: Span;
    /** Where the replacement is in `sanitized`; empty where the found text was removed. */
    readonly output_span: Span;
  }[];
}

/** Why a recorded call cannot be replayed. */
export const REPLAY_OBSTACLES = [
  'erased',
  'no_policy_recorded',
  'argument_not_recorded',
  'argument_withheld',
  'limit_not_recorded',
] as const;

/** Why a recorded call cannot be replayed. */
export type ReplayObstacle = (typeof REPLAY_OBSTACLES)[number];

interface TriedDecision {
  readonly require: RequirementName;
  /** 0 unless `require` is `approval`. */
  readonly approvers: number;
  readonly rule: number | null;
  readonly group: string | null;
  /** Seconds; `null` stands for `hitl.ttl`. */
  readonly ttl: number | null;
  readonly reason: 'required' | null;
}

/** Response of `POST /try/policies`: recorded calls under other policies. */
export interface TryPoliciesData {
  /** Calls of this slice that were replayed. */
  readonly replayed: number;
  readonly unchanged: number;
  /** Calls by the rule that decided, before and under the candidate; `rule` is `null` where none did. */
  readonly rules: readonly {
    readonly tool: string;
    readonly rule: number | null;
    readonly before: number;
    readonly after: number;
  }[];
  readonly stricter: TriedChanges;
  readonly looser: TriedChanges;
  readonly not_replayable: Readonly<Record<ReplayObstacle, number>>;
  readonly next_cursor: number | null;
}

interface TriedChanges {
  readonly count: number;
  /** At most fifty of them, newest first. */
  readonly calls: readonly {
    readonly audit_id: number;
    readonly tool: string;
    readonly occurred_at: string;
    readonly before: TriedDecision;
    readonly after: TriedDecision;
  }[];
}
