/** The append-only store of decisions. */
import type { Page, PageRequest, TimeWindow } from '../common/page.js';
import type { Facets, TrendPoint, TrendSeries } from './counts.js';
import type { AuditListItem } from './entry.js';
import type { AuditFilter, ExportQuery, TrendBucket, TrendGroup } from './filter.js';
import type { AuditEntry, Decision, ExportedEntry, FacetField } from './record.js';

/** Without the arguments: thousands of calls are read at once, and each may have long ones. */
export type DecidedCall = Pick<
  AuditEntry,
  'id' | 'occurredAt' | 'tool' | 'application' | 'policy' | 'storage'
>;

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
  abstract list(filter: AuditFilter, page: PageRequest): Promise<Page<AuditListItem>>;

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
   * The entries of `list` as a whole, newest first by id. A page may also be `partial` so that long texts do not
   * fill the memory.
   */
  abstract recordedTexts(filter: AuditFilter, page: PageRequest): Promise<Page<AuditEntry>>;

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
