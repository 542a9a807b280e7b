import type { OutgoingEvent } from './outbox.js';
import type { RetentionCounts, RetentionOrder, RetentionRun } from './retention.js';

/** A run in the hands of one caller. */
export interface HeldRun extends RetentionRun {
  /** Names the holder; once its time is up, another may take the run over. */
  readonly lease: string;
}

/**
 * Erases and deletes, always for a run that is on record. At most one run is held at any time. All that one call
 * does commits together with the counts of its run, so that a killed run is taken over where it stood.
 */
export abstract class RetentionStore {
  /** What a run of this order would come to now. Changes nothing. */
  abstract count(order: Pick<RetentionOrder, 'strategy' | 'scope'>): Promise<RetentionCounts>;

  /**
   * Puts a run on record and holds it for `leaseMs`. `null`: another one is held, or `everyMs` is given and one of the
   * same actor began less than that ago, by the store's clock.
   */
  abstract begin(order: RetentionOrder, leaseMs: number, everyMs?: number): Promise<HeldRun | null>;

  /** Takes over the oldest run that nobody finished and nobody holds; `null` where there is none. */
  abstract takeOver(leaseMs: number): Promise<HeldRun | null>;

  /** Does the next `limit` rows at most, and holds the run anew. `null`: the run is no longer this caller's. */
  abstract proceed(
    run: HeldRun,
    limit: number,
    leaseMs: number,
  ): Promise<{ readonly run: HeldRun; readonly done: boolean } | null>;

  /** Closes the record and forgets whom it was about. `null`: the run is no longer this caller's. */
  abstract finish(run: HeldRun): Promise<RetentionRun | null>;

  /** Newest first. */
  abstract runs(limit: number): Promise<readonly RetentionRun[]>;

  /** Finished, and nobody was told of it; oldest first. */
  abstract untold(limit: number): Promise<readonly RetentionRun[]>;

  /** Commits the outgoing events of a run together with the mark that it was told. `false`: it was told before. */
  abstract tell(runId: number, outgoing: readonly OutgoingEvent[]): Promise<boolean>;
}
