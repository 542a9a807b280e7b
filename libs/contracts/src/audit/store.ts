/** The append-only record of decisions: what is stored of one, and the store. */
import type { ApprovalStep } from '../approvals.js';
import type { NewRejection } from '../firewall.js';
import type { OutgoingEvent } from '../outbox.js';
import type { OutputCount, RecordedFinding, Rendering } from '../output.js';
import type { Page, PageRequest, TimeWindow } from '../page.js';
import type { Facets, TrendPoint, TrendSeries } from './counts.js';
import type { AuditListData } from './entry.js';
import type { AuditFilter, ExportQuery, FacetField, TrendBucket, TrendGroup } from './filter.js';
import type { DecisionRecord, RecordedMatch } from '../screening.js';
import type { PromptStorage, Span } from '../text.js';

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
  readonly matchedSpan: Span | null;
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

/** The entries of the same control before and after an entry, by id. */
export interface AuditNeighbors {
  readonly previousId: number | null;
  readonly nextId: number | null;
}

/** Live figures of a store that commits concurrent decisions in batches. */
export interface CommitFigures {
  /** Not committed yet. */
  readonly queued: number;
  /** Decisions that failed; their callers received an error. */
  readonly failed: number;
  readonly batches: number;
  readonly lastBatch: number;
  /** Decisions per batch. */
  readonly meanBatch: number;
  /** From `append` to its result, in milliseconds, over about the last thousand; 0 before the first. */
  readonly latencyMs: { readonly p50: number; readonly p99: number };
}

/** A tool call that control D decided, as a replay of policies reads it. */
export interface DecidedCall extends Pick<
  AuditEntry,
  'id' | 'occurredAt' | 'tool' | 'application' | 'policy' | 'storage'
> {}

/** A decision with its text, as a backtest reads it. */
export interface RecordedText extends Pick<
  AuditEntry,
  | 'id'
  | 'occurredAt'
  | 'origin'
  | 'application'
  | 'outcome'
  | 'ruleId'
  | 'matchedRules'
  | 'erroredRuleIds'
  | 'rendering'
  | 'storage'
  | 'prompt'
  | 'alteration'
> {}

/** What an export contains, and in which format. */
export interface ExportOrder {
  readonly format: ExportQuery['format'];
  readonly withContent: boolean;
  readonly filter: AuditFilter;
  /** Only entries with a higher id. */
  readonly after: number;
  /** `null`: all entries. */
  readonly limit: number | null;
}

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

/** Ids above `after`, up to `through`, which is at most the newest id. */
export interface ExportRange {
  readonly after: number;
  readonly through: number;
}

/** A part of an export, and where the next part begins. */
export interface ExportSlice {
  /** In ascending order of the ids. A slice before the end can have fewer entries than the limit, or none. */
  readonly entries: readonly ExportedEntry[];
  /** The `after` of the next slice; `null` at the end of the range. */
  readonly next: number | null;
}

/** The append-only record of every decision. No method changes or removes one. */
export abstract class AuditStore {
  /** `null` where every decision has its own commit. */
  get commits(): CommitFigures | null {
    return null;
  }

  /**
   * Commits a whole decision (evidence, content, rejection, counts, outgoing events) and returns the id of the
   * evidence. Ids grow. After `store_unavailable` or `query_timeout` the same object may be appended again: it is
   * committed once, even if only the answer of the first attempt was lost.
   */
  abstract append(decision: Decision): Promise<number>;

  /**
   * Newest first by id. The cost of a page does not depend on its depth, and nothing is counted. With `q`, `origin`,
   * `errored`, `ruleset_version`, `kind`, `detector` or `matched` the page may be `partial`.
   */
  abstract list(filter: AuditFilter, page: PageRequest): Promise<AuditListData>;

  abstract find(id: number): Promise<AuditEntry | null>;

  abstract neighbors({ id, control }: Pick<AuditEntry, 'id' | 'control'>): Promise<AuditNeighbors>;

  /**
   * Records of control D with origin `tool_call` within the window (both ends inclusive), newest first by id: calls that
   * were allowed or denied or wait for approval, or would have been.
   */
  abstract decidedCalls(window: TimeWindow, page: PageRequest): Promise<Page<DecidedCall>>;

  /** The highest id; 0 without entries. */
  abstract newestId(): Promise<number>;

  /** A bounded part of the matching entries. Its cost does not depend on the number of entries outside of it. */
  abstract exportSlice(
    filter: AuditFilter,
    range: ExportRange,
    options: { readonly limit: number; readonly withContent: boolean },
  ): Promise<ExportSlice>;

  /**
   * The decisions of `list` with their texts, newest first by id. A page may also be `partial` so that long texts do not
   * fill the memory.
   */
  abstract recordedTexts(filter: AuditFilter, page: PageRequest): Promise<Page<RecordedText>>;

  /**
   * Counts per UTC day or hour, oldest first; those without a decision may be missing. `filter.from` and `filter.to` are
   * ignored.
   */
  abstract trend(
    filter: AuditFilter,
    window: TimeWindow,
    bucket?: TrendBucket,
  ): Promise<readonly TrendPoint[]>;

  /** The trend of each value of a column: the `MAX_TREND_SERIES` values with the most decisions, most first. */
  abstract trendBy(
    group: TrendGroup,
    filter: AuditFilter,
    window: TimeWindow,
    bucket: TrendBucket,
  ): Promise<readonly TrendSeries[]>;

  /** Counts the entries of `list` by the values of a field. Reads a bounded number of rows, newest first. */
  abstract facets(field: FacetField, filter: AuditFilter): Promise<Facets>;
}
