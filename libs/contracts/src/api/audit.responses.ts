import type { ApprovalStep } from '../approvals.js';
import type { FacetField } from '../audit.js';
import type { ControlKey, ModeName, Outcome } from '../control-mode.js';
import type { OutputKind, Rendering } from '../output.js';
import type { ReviewVerdict } from '../reviews.js';
import type { MentionForm, Origin } from '../screening.js';
import type { PromptStorage, Span } from '../text.js';
import type { LeafKind } from '../transparency-log.js';

/** What every response about an audit entry contains. */
export interface AuditFacts {
  readonly id: number;
  readonly control: ControlKey;
  readonly blocked: boolean;
  readonly outcome: Outcome;
  readonly mode: ModeName;
  readonly origin: Origin;
  readonly rule_id: string | null;
  readonly tool: string | null;
  readonly principal_id: string | null;
  readonly application: string | null;
  readonly ruleset_version: string;
  readonly prompt_length: number;
  readonly errored: boolean;
  readonly occurred_at: string;
}

/** An entry of `GET /audit`, with the beginning of its text. */
export interface AuditListItem extends AuditFacts {
  readonly prompt_preview: string | null;
  /** For a step of an approval: which step; `null` for other decisions. */
  readonly approval_step: ApprovalStep | null;
}

/** Response of `GET /audit`. */
export interface AuditListData {
  readonly entries: readonly AuditListItem[];
  readonly next_cursor: number | null;
  readonly partial?: true;
}

/** A rule that matched, and where. */
export interface MatchedRuleData {
  readonly rule_id: string;
  /** In `prompt`; `null` where that does not contain the match. */
  readonly span: Span | null;
  /** Set where the match did not count, because of an exception. */
  readonly exception?: true;
  /** Set where a document mentions the instruction and does not give it, so that the match was only recorded. */
  readonly mentioned?: MentionForm;
  /** The score of the text, from a screener that uses scores. */
  readonly score?: number;
  /** The score above which it objects. */
  readonly threshold?: number;
}

/** Response of `GET /audit/{id}`. */
export interface AuditDetailData {
  readonly entry: AuditFacts & {
    readonly prompt: string;
    readonly prompt_storage: PromptStorage;
    readonly errored_rule_ids: readonly string[];
    /** Screeners that did not judge the text, for example in another language. */
    readonly not_judged_rule_ids: readonly string[];
    readonly matched_span: Span | null;
    readonly matched_text: string | null;
    readonly matched_rules: readonly MatchedRuleData[];
    /** The words with the highest weights, if the classifier objected, computed from `prompt` with the present weights. */
    readonly classifier_words: readonly { readonly word: string; readonly weight: number }[];
    /** The findings of an output, sorted by position; at most about 200. */
    readonly findings: readonly RecordedFindingData[];
    /** All findings, also those that are not listed. */
    readonly finding_count: number;
    readonly request_id: string | null;
    readonly run_id: string | null;
    /** Set for outputs only. */
    readonly rendering: Rendering | null;
    readonly duration_us: number;
    /** Violations of a rejected tool call, by argument; `null` for other decisions. */
    readonly violations: Readonly<Record<string, string>> | null;
    /** For a step of an approval: the id of the approval; `null` for other decisions. */
    readonly approval_id: number | null;
    readonly approval_step: ApprovalStep | null;
    /** The nearest entries of the same control. */
    readonly previous_id: number | null;
    readonly next_id: number | null;
    /** Oldest first; the last one counts. */
    readonly reviews: readonly ReviewData[];
  };
}

/** The recorded value. Later rules do not change it. */
export interface RecordedFindingData {
  readonly kind: OutputKind;
  readonly detector: string;
  /** Position in `prompt`; `null` if `prompt` does not contain it, and for findings in a structure. */
  readonly span: Span | null;
}

/** The review of an audit entry. */
export interface ReviewData {
  readonly verdict: ReviewVerdict;
  readonly note: string | null;
  readonly actor_id: string;
  readonly reviewed_at: string;
}

/** Response of `POST /audit/{id}/review`. */
export interface AuditReviewData {
  readonly review: ReviewData & { readonly id: number; readonly entry_id: number };
  /** The next older entry of the same control that was blocked or observed and has no review. */
  readonly next_unreviewed_id: number | null;
}

/** Response of `POST /audit/{id}/exception`. */
export interface AuditExceptionData {
  /** One for each match; together they cover every recorded match. */
  readonly proposals: readonly {
    /** An entry of `input_screen.exceptions` once it has a reason and an end. */
    readonly exception: { readonly rule_id: string; readonly phrase: string; readonly application?: string };
    readonly span: Span;
  }[];
}

/** The decisions of one day or hour. */
export interface AuditTrendPoint {
  readonly date: string;
  readonly total: number;
  readonly blocked: number;
  readonly allowed: number;
  readonly observed: number;
}

/** A line of an export. The last six members are set with `with_content=true`. */
export interface AuditExportLine extends AuditFacts {
  readonly matched_rules: readonly MatchedRuleData[];
  readonly errored_rule_ids: readonly string[];
  readonly not_judged_rule_ids: readonly string[];
  readonly findings: readonly RecordedFindingData[];
  readonly finding_count: number;
  readonly request_id: string | null;
  readonly run_id: string | null;
  readonly tool: string | null;
  readonly rendering: Rendering | null;
  readonly duration_us: number;
  readonly approval_id: number | null;
  readonly approval_step: string | null;
  readonly commitments: {
    readonly prompt: string;
    readonly matched_text: string | null;
    readonly principal: string | null;
    readonly policy: string | null;
  };
  /** With the members above, what the hash of the entry covers; `null` in memory, where rows have no hash. */
  readonly writer: string | null;
  readonly sequence: number | null;
  readonly prompt_storage?: PromptStorage | 'erased';
  readonly prompt?: string;
  readonly matched_span?: Span | null;
  readonly matched_text?: string | null;
  readonly policy?: string | null;
  readonly salt?: string | null;
}

/** A line of the log: a leaf, or a checkpoint of all leaves before it. */
export interface AuditLogLine {
  /** Kind, time, and SHA-256 of the recorded fields in base64url. The tree hashes its JSON text. */
  readonly leaf?: readonly [kind: LeafKind, time: string, hash: string];
  /** The recorded fields of a retention run. */
  readonly record?: readonly unknown[];
  /** A signed note. */
  readonly checkpoint?: string;
}

/** Response of `GET /audit/trend`. */
export interface AuditTrendData {
  readonly from: string;
  readonly to: string;
  readonly points: readonly AuditTrendPoint[];
  /** With `by`: the 20 values with the most decisions. Points without a decision are left out. */
  readonly series?: readonly { readonly value: string | null; readonly points: readonly AuditTrendPoint[] }[];
}

/** Response of `GET /audit/facets`. */
export interface AuditFacetsData {
  readonly field: FacetField;
  /** The 50 values with the most entries, most first; `null` for entries without a value. */
  readonly values: readonly { readonly value: string | null; readonly count: number }[];
  readonly partial?: true;
}
