/** What is stored of a decision. */
import type { ApprovalStep } from '../approvals/approvals.js';
import type { NewRejection } from '../firewall/firewall.js';
import type { OutgoingEvent } from '../events/outbox.js';
import type { OutputCount, RecordedFinding, Rendering } from '../output/output.js';
import type { DecisionRecord, RecordedMatch } from '../screening/screening.js';
import type { PromptStorage } from '../common/text.js';
import type { ByteSpan } from '../common/spans.js';

/**
 * Binds evidence to a text without containing it: base64url of SHA-256(salt ‖ name of the field ‖ 0x00 ‖ UTF-8).
 * After the salt is erased, the text cannot be recovered by a dictionary.
 */
export interface Commitments {
  /** Commitment to the content's `prompt`. */
  readonly prompt: string;
  /** Commitment to the content's `matchedText`. */
  readonly matchedText: string | null;
  /** Commitment to the evidence's `principalId`. */
  readonly principal: string | null;
  /** Commitment to the content's `policy`. */
  readonly policy: string | null;
}

/** The permanent part of a decision; never updated. */
export interface Evidence extends DecisionRecord {
  readonly matchedRules: readonly RecordedMatch[];
  readonly erroredRuleIds: readonly string[];
  /** The findings in an output, by ascending place in the original text; at most `MAX_RECORDED_FINDINGS`. */
  readonly findings: readonly RecordedFinding[];
  /** The number of findings, also of those that are not recorded. */
  readonly findingCount: number;
  /** The rendering that an output was sanitized for; `null` for other decisions. */
  readonly rendering: Rendering | null;
  /** For a step of an approval: the id of the approval; `null` for other decisions. */
  readonly approvalId: number | null;
  readonly approvalStep: ApprovalStep | null;
  readonly commitments: Commitments;
}

/**
 * How a stored text can differ from the judged one. `edited`: parts of it were replaced. `changed`: the same in rows of
 * earlier versions, whose matches have spans in the judged text. `serialized`: several values were judged one by one.
 */
export type Alteration = 'edited' | 'changed' | 'truncated' | 'serialized';

/** The text of a decision after hygiene. Separate from the evidence, because it can be erased. */
export interface Content {
  readonly storage: PromptStorage;
  /** The stored text; `hmac-sha256:<hex>` under `hash`, empty when erased. */
  readonly prompt: string;
  /** In UTF-8 bytes of `prompt`; `null` where storage changed the text before the span. */
  readonly matchedSpan: ByteSpan | null;
  readonly matchedText: string | null;
  /** `null` where `prompt` is exactly the judged text, and where no text is stored (`hash`, `erased`). */
  readonly alteration: Alteration | null;
  /** JSON of a `PolicyRecord`: what a policy compared and decided; `null` for other decisions. */
  readonly policy: string | null;
  /** 32 random bytes, base64url, needed to check the commitments. `null` after the text is erased. */
  readonly salt: string | null;
}

/** All records of one decision. A store commits all of them or none. */
export interface Decision {
  readonly evidence: Evidence;
  readonly content: Content;
  readonly rejection: NewRejection | null;
  readonly outputCounts: readonly OutputCount[];
  /** Events for external consumers that a configured sink or the live stream selects. */
  readonly outgoing: readonly OutgoingEvent[];
}

/** The evidence of a recorded decision. */
export interface RecordedEvidence extends Evidence {
  readonly id: number;
}

/** A recorded decision with its evidence, its texts and its id. */
export interface AuditEntry extends RecordedEvidence, Content {}

/** The rows of a writer are numbered without gaps. */
export interface RowPlace {
  readonly writer: string;
  readonly sequence: number;
}

/** An entry as an export reads it. */
export interface ExportedEntry extends RecordedEvidence {
  /** With the evidence, what the hash of the row covers; `null` in a store whose rows have no hash. */
  readonly place: RowPlace | null;
  /** `null` unless the export includes contents. */
  readonly content: Content | null;
}

/** What the values of decisions are counted by. */
export const FACET_FIELDS = [
  'control',
  'outcome',
  'rule_id',
  'application',
  'principal_id',
  'tool',
  'origin',
  'ruleset_version',
] as const;

export type FacetField = (typeof FACET_FIELDS)[number];
