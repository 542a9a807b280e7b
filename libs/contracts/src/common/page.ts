/** A page of a list, newest first by id. */
export interface PageRequest {
  /** Only rows with a lower id. Default: from the newest. */
  readonly cursor?: number;
  /** Only rows with a higher id. */
  readonly after?: number;
  /** At least 1. */
  readonly limit: number;
}

/** One page of a list, and where the next one begins. */
export interface Page<Entry> {
  readonly entries: readonly Entry[];
  /** Id of the last row shown or searched; `null` at the end. */
  readonly next_cursor: number | null;
  /** The search stopped before the page was full: the page may be short or empty; continue with `next_cursor`. */
  readonly partial?: true;
}

/** Inclusive at both ends. */
export interface TimeWindow {
  readonly from: Date;
  readonly to: Date;
}
