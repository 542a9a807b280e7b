import type { RetentionOrder, RetentionRun } from '../../../contracts/src/retention.js';

/** A run with what only the store knows of it. */
export interface KeptRun extends RetentionRun {
  /** Whom and what it is about, until it is finished. */
  readonly order: RetentionOrder | null;
  /** How many parts are done. */
  readonly partsDone: number;
  readonly lease: string;
  /** Milliseconds since the epoch. */
  readonly heldUntil: number;
  readonly told: boolean;
}

export function recordOf(run: KeptRun): RetentionRun {
  const { id, strategy, scope, actorId, counts, startedAt, finishedAt } = run;
  return { id, strategy, scope, actorId, counts, startedAt, finishedAt };
}
