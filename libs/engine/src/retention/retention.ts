import type { Clock } from '../../../contracts/src/clock.js';
import { GuardrailsError } from '../../../contracts/src/errors.js';
import type {
  RetentionCounts,
  RetentionOrder,
  RetentionRun,
  RetentionScope,
  RetentionStrategy,
} from '../../../contracts/src/retention.js';
import type { HeldRun, RetentionStore } from '../../../contracts/src/retention.store.js';

const BATCH = 5_000;
/** Many times what a batch takes: who lets it run out is dead, or cut off from the store. */
const LEASE_MS = 60_000;
const DAY_MS = 24 * 60 * 60 * 1000;

/** Told after every batch. */
export type RetentionListener = (run: RetentionRun) => void;

export interface RetentionOptions {
  /** `days: 0` and no scope but everything: says that it is meant. */
  readonly everything?: boolean;
  /** Nothing where a run of the same actor began less than this ago. */
  readonly everyMs?: number;
  readonly listener?: RetentionListener;
}

/** Erases and deletes in small steps, each of which is on record when it is done. */
export class Retention {
  private hasLeft = false;

  constructor(
    private readonly store: RetentionStore,
    private readonly clock: Clock,
  ) {}

  /** All that is older than so many days of 24 hours. */
  olderThan(days: number): RetentionScope {
    return { kind: 'before', before: new Date(this.clock.now().getTime() - days * DAY_MS) };
  }

  /** What `apply` would come to now. */
  count(strategy: RetentionStrategy, scope: RetentionScope): Promise<RetentionCounts> {
    return this.store.count({ strategy, scope });
  }

  /**
   * Ends what killed runs left behind, then does what is ordered. `null`: another run is under way, or it is not yet
   * time for this one.
   */
  async apply(order: RetentionOrder, options: RetentionOptions = {}): Promise<RetentionRun | null> {
    this.assertMeant(order, options);
    await this.resume(options.listener);
    if (this.hasLeft) return null;
    const run = await this.store.begin(order, LEASE_MS, options.everyMs);
    return run === null ? null : this.complete(run, options.listener);
  }

  /** Ends what killed runs left behind, in the name of those who ordered them. */
  async resume(listener?: RetentionListener): Promise<readonly RetentionRun[]> {
    const ended: RetentionRun[] = [];
    while (!this.hasLeft) {
      const run = await this.store.takeOver(LEASE_MS);
      if (run === null) break;
      ended.push(await this.complete(run, listener));
    }
    return ended;
  }

  /** This instance stops: the batch under way is the last one, and another instance goes on when the lease has run out. */
  leave(): void {
    this.hasLeft = true;
  }

  private async complete(
    begun: HeldRun,
    listener: RetentionListener = () => undefined,
  ): Promise<RetentionRun> {
    let run = begun;
    for (;;) {
      const step = await this.store.proceed(run, BATCH, LEASE_MS);
      if (step === null) throw lost(run);
      run = step.run;
      listener(run);
      if (!step.done && this.hasLeft) return run;
      if (!step.done) continue;
      const finished = await this.store.finish(run);
      if (finished === null) throw lost(run);
      return finished;
    }
  }

  private assertMeant({ actorId, scope }: RetentionOrder, { everything = false }: RetentionOptions): void {
    if (actorId.trim() === '')
      throw new GuardrailsError('actor_required', 'Retention runs in the name of somebody: say of whom.');
    if (scope.kind !== 'before' || everything) return;
    if (Number.isNaN(scope.before.getTime()) || this.clock.now().getTime() - scope.before.getTime() < HOUR_MS)
      throw new GuardrailsError(
        'invalid_body',
        'This would take all that there is: days: 0 does nothing unless it is confirmed that everything is meant.',
      );
  }
}

const HOUR_MS = 60 * 60 * 1000;

function lost({ id }: RetentionRun): GuardrailsError {
  return new GuardrailsError(
    'executing',
    `Retention run ${id} was taken over by another process: this one was away for too long.`,
  );
}
