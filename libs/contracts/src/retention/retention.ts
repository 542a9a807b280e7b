import { GuardrailsError, HeldError } from '../common/errors.js';

/** `anonymize` erases texts and names and keeps the evidence; `purge` deletes rows. Both keep the counts. */
export const RETENTION_STRATEGIES = ['anonymize', 'purge'] as const;

/** Whether a retention run anonymizes or removes records. */
export type RetentionStrategy = (typeof RETENTION_STRATEGIES)[number];

/** The records that a retention run covers. */
export type RetentionScope =
  /** One audit entry by its id. */
  | { readonly kind: 'entry'; readonly id: number }
  /** All data of one principal. */
  | { readonly kind: 'principal'; readonly principalId: string }
  /** Everything before this time. A principal is removed with the last entry. */
  | { readonly kind: 'before'; readonly before: Date };

/** The scope as a run records it: without the erased name. */
export type RecordedScope = Exclude<RetentionScope, { kind: 'principal' }> | { readonly kind: 'principal' };

/** What a retention run does, to which records, and who ordered it. */
export interface RetentionOrder {
  readonly strategy: RetentionStrategy;
  readonly scope: RetentionScope;
  readonly actorId: string;
}

/**
 * The parts of a run, in the order of processing; names of principals are erased last. Entries: contents erased,
 * or evidence deleted. Approvals: erased, or deleted after their outcome. Both strategies delete rejections and
 * events; only `purge` deletes output counts.
 */
export const RETENTION_PARTS = [
  'rejections',
  'outputCounts',
  'entries',
  'approvals',
  'events',
  'principals',
] as const;

/** A kind of record that retention erases or deletes. */
export type RetentionPart = (typeof RETENTION_PARTS)[number];

/**
 * How many records of each part a retention run changed. Reviews are deleted with their entry, and votes with their
 * approval, so they are not parts.
 */
export type RetentionCounts = Readonly<Record<RetentionPart | 'reviews' | 'votes', number>>;

/** The counts of a retention run that changed nothing. */
export const NOTHING_RETAINED: RetentionCounts = Object.freeze({
  rejections: 0,
  outputCounts: 0,
  entries: 0,
  reviews: 0,
  approvals: 0,
  votes: 0,
  events: 0,
  principals: 0,
});

/** The refusal of an erasure that meets a hold. */
export function erasureHeld(holdId: number): HeldError {
  return new HeldError(
    holdId,
    `Hold ${holdId} covers data of this erasure, so nothing was erased. Repeat it after the hold was released.`,
  );
}

/** The refusal of a run by age below `retention.minimum_days`. */
export function runTooYoung(minimumDays: number): GuardrailsError {
  return new GuardrailsError(
    'invalid_body',
    `retention.minimum_days is ${minimumDays}, so a run by age needs at least ${minimumDays} days. Nothing was changed.`,
  );
}

/** The record of a run; never deleted. */
export interface RetentionRun {
  readonly id: number;
  readonly strategy: RetentionStrategy;
  readonly scope: RecordedScope;
  readonly actorId: string;
  readonly counts: RetentionCounts;
  /** The hold that stopped the erasure of a principal or an entry before its end; `null` otherwise. */
  readonly heldBy: number | null;
  readonly startedAt: Date;
  /** `null`: the run is in progress, or was interrupted and can be taken over. */
  readonly finishedAt: Date | null;
}
