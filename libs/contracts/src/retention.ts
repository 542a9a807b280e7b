/** `anonymize` erases texts and names and keeps the evidence; `purge` deletes the rows. Counts survive both. */
export const RETENTION_STRATEGIES = ['anonymize', 'purge'] as const;

export type RetentionStrategy = (typeof RETENTION_STRATEGIES)[number];

export type RetentionScope =
  /** One entry of the audit, by its id. */
  | { readonly kind: 'entry'; readonly id: number }
  /** All that is kept of one principal. */
  | { readonly kind: 'principal'; readonly principalId: string }
  /** All that happened before this time. A principal goes with its last entry. */
  | { readonly kind: 'before'; readonly before: Date };

/** What a run leaves of its scope: whose data was erased must not be found in the record of it. */
export type RecordedScope = Exclude<RetentionScope, { kind: 'principal' }> | { readonly kind: 'principal' };

export interface RetentionOrder {
  readonly strategy: RetentionStrategy;
  readonly scope: RetentionScope;
  readonly actorId: string;
}

/**
 * What a run comes to, in the order in which it goes through it: whoever is known by name is forgotten last. Entries
 * are erased contents, or deleted evidence. Approvals are erased, or deleted where they had ended. Rejections and
 * events are deleted by either strategy, output counts by `purge` alone.
 */
export const RETENTION_PARTS = [
  'rejections',
  'outputCounts',
  'entries',
  'approvals',
  'events',
  'principals',
] as const;

export type RetentionPart = (typeof RETENTION_PARTS)[number];

export type RetentionCounts = Readonly<Record<RetentionPart, number>>;

export const NOTHING_RETAINED: RetentionCounts = Object.freeze({
  rejections: 0,
  outputCounts: 0,
  entries: 0,
  approvals: 0,
  events: 0,
  principals: 0,
});

/** The record of a run: kept for ever. */
export interface RetentionRun {
  readonly id: number;
  readonly strategy: RetentionStrategy;
  readonly scope: RecordedScope;
  readonly actorId: string;
  readonly counts: RetentionCounts;
  readonly startedAt: Date;
  /** `null`: it is under way, or was killed and waits to be taken over. */
  readonly finishedAt: Date | null;
}
