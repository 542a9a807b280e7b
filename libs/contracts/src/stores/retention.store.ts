// Erasure and deletion, and the holds that stop them.
import type { Page, PageRequest } from '../common/page.js';
import type { OutgoingEvent } from '../events/outbox.js';
import type { Hold, HoldRelease, NewHold } from '../retention/holds.js';
import type { RetentionCounts, RetentionOrder, RetentionRun } from '../retention/retention.js';

/** A run that one caller holds. */
export interface HeldRun extends RetentionRun {
  /** Identifies the holder. After the lease expires, another caller may take the run over. */
  readonly lease: string;
}

/**
 * Erases and deletes rows, always for a recorded run. At most one run has a lease at any time. Each call commits its
 * changes together with the counts of the run, so that an interrupted run can be continued. Rows under an active hold
 * are never touched.
 */
export abstract class RetentionStore {
  /**
   * The least age in days that a run by age may have, for every caller of the same data: `begin` refuses a lower one.
   * Initially 0.
   */
  abstract setMinimumDays(days: number): Promise<void>;

  /** The counts that a run of this order would reach now, or the refusal of `begin`. Changes nothing. */
  abstract count(order: Pick<RetentionOrder, 'strategy' | 'scope'>): Promise<RetentionCounts>;

  /**
   * Records a run and holds it for `leaseMs`. `null`: another run is held, or one of the same actor began less
   * than `everyMs` ago, by the store's clock.
   *
   * @throws HeldError where a hold covers data of the principal or entry, and `invalid_body` where `before`
   * is later than the minimum age allows, by more than an hour.
   */
  abstract begin(order: RetentionOrder, leaseMs: number, everyMs?: number): Promise<HeldRun | null>;

  /** Takes over the oldest unfinished run that no caller holds; `null` where there is none. */
  abstract takeOver(leaseMs: number): Promise<HeldRun | null>;

  /**
   * Processes at most `limit` rows and extends the lease. `null`: another caller holds the run. Rows under an active hold
   * are skipped. The erasure of a principal or an entry that a hold stopped ends with `heldBy`.
   */
  abstract proceed(
    run: HeldRun,
    limit: number,
    leaseMs: number,
  ): Promise<{ readonly run: HeldRun; readonly done: boolean } | null>;

  /** Closes the record and removes the name of the principal. `null`: another caller holds the run. */
  abstract finish(run: HeldRun): Promise<RetentionRun | null>;

  /** Newest first. */
  abstract runs(limit: number): Promise<readonly RetentionRun[]>;

  /** Finished runs without a published event, oldest first. */
  abstract unpublished(limit: number): Promise<readonly RetentionRun[]>;

  /** Commits the outgoing events of a run and marks it as published. `false`: it was published before. */
  abstract markPublished(runId: number, outgoing: readonly OutgoingEvent[]): Promise<boolean>;
}

/**
 * Holds stop retention: neither a command nor the schedule erases or deletes records under an active hold. A hold is
 * never deleted, and can be released once.
 */
export abstract class HoldStore {
  /**
   * Commits the hold with its outgoing events. When it resolves, no later batch of a retention run changes the
   * records under the hold. It waits for a batch that is being committed.
   */
  abstract set(hold: NewHold, outgoing: (hold: Hold) => readonly OutgoingEvent[]): Promise<Hold>;

  /** `null`: there is no such hold. */
  abstract release(
    id: number,
    releasedBy: string,
    outgoing: (hold: Hold) => readonly OutgoingEvent[],
  ): Promise<HoldRelease | null>;

  /** Newest first. */
  abstract list(filter: { readonly active?: boolean }, page: PageRequest): Promise<Page<Hold>>;
}
