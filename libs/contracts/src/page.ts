/** A page of a list that is read newest first, by id. */
export interface PageRequest {
  /** Only rows with an id below this one. Absent: from the newest. */
  readonly cursor?: number;
  /** At least 1. */
  readonly limit: number;
}

export interface Page<Entry> {
  readonly entries: readonly Entry[];
  /** The id of the last row shown (or searched); `null` when there is nothing further. */
  readonly nextCursor: number | null;
  /** A search gave up before the page was full: the page may be short or empty, and `nextCursor` goes on. */
  readonly partial: boolean;
}

/** Closed at both ends. */
export interface TimeWindow {
  readonly from: Date;
  readonly to: Date;
}
