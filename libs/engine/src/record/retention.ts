// Erasure and deletion of stored records: on demand, and by schedule.
import { randomUUID } from 'node:crypto';
import type { Clock } from '#contracts/common/clock.js';
import { isActorId } from '#contracts/common/comparison.js';
import { GuardrailsError, HeldError } from '#contracts/common/errors.js';
import type { EventPublisher } from '#contracts/events/guardrails-event.js';
import { RetentionApplied } from '#contracts/events/operation-events.js';
import type {
  RetentionCounts,
  RetentionOrder,
  RetentionRun,
  RetentionScope,
  RetentionStrategy,
} from '#contracts/retention/retention.js';
import type { HeldRun, RetentionStore } from '#contracts/stores/retention.store.js';
import type { RunStore } from '#contracts/runs/run.store.js';
import type { CurrentSettings, Diagnostics, EventRouter } from '../shared/ports.js';

const BATCH = 5_000;
/** Many times the duration of a batch, so that only a dead or disconnected process loses it. */
const LEASE_MS = 60_000;
const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;

/** Called after every batch. */
export type RetentionListener = (run: RetentionRun) => void;

export interface RetentionOptions {
  /** Confirms that everything is erased (`days: 0`). */
  readonly everything?: boolean;
  /** Returns `null` where a run of the same actor began less than this ago. */
  readonly everyMs?: number;
  readonly listener?: RetentionListener;
}

/** Erases and deletes in batches; each batch commits with the record of the run. */
export class Retention {
  private isStopping = false;

  constructor(
    private readonly store: RetentionStore,
    private readonly clock: Clock,
  ) {}

  /** Everything older than this many days of 24 hours. */
  olderThan(days: number): RetentionScope {
    return { kind: 'before', before: new Date(this.clock.now().getTime() - days * DAY_MS) };
  }

  /** The counts that `apply` would reach now. */
  count(strategy: RetentionStrategy, scope: RetentionScope): Promise<RetentionCounts> {
    return this.store.count({ strategy, scope });
  }

  /**
   * Finishes interrupted runs, then starts the ordered one. `null`: another run is in progress, or `everyMs` has
   * not passed.
   *
   * @throws HeldError where a hold covers data of the principal or entry.
   */
  async apply(order: RetentionOrder, options: RetentionOptions = {}): Promise<RetentionRun | null> {
    this.assertConfirmed(order, options);
    await this.resume(options.listener);
    if (this.isStopping) return null;
    const run = await this.store.begin(order, LEASE_MS, options.everyMs);
    if (run === null) return null;
    const ended = await this.complete(run, options.listener);
    if (ended.heldBy !== null) throw stopped(ended, ended.heldBy);
    return ended;
  }

  /** Finishes interrupted runs, under their original actors. */
  async resume(listener?: RetentionListener): Promise<readonly RetentionRun[]> {
    const ended: RetentionRun[] = [];
    while (!this.isStopping) {
      const run = await this.store.takeOver(LEASE_MS);
      if (run === null) break;
      ended.push(await this.complete(run, listener));
    }
    return ended;
  }

  /** Stops after the current batch; another instance continues when the lease expires. */
  beginStop(): void {
    this.isStopping = true;
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
      if (!step.done && this.isStopping) return run;
      if (!step.done) continue;
      const finished = await this.store.finish(run);
      if (finished === null) throw lost(run);
      return finished;
    }
  }

  private assertConfirmed({ actorId, scope }: RetentionOrder, { everything = false }: RetentionOptions) {
    if (!isActorId(actorId))
      throw new GuardrailsError(
        'actor_required',
        'Retention needs an actor. Pass a non-empty `actorId` without invisible characters.',
      );
    if (scope.kind !== 'before' || everything) return;
    if (Number.isNaN(scope.before.getTime()) || this.clock.now().getTime() - scope.before.getTime() < HOUR_MS)
      throw new GuardrailsError(
        'invalid_body',
        'This run would erase everything. Confirm it with `everything`, or use at least one day.',
      );
  }
}

function stopped({ id }: RetentionRun, holdId: number) {
  return new HeldError(
    holdId,
    `Hold ${holdId} was set while retention run ${id} erased, and stopped it. Records under the hold were not changed after that. Repeat the erasure after the hold was released.`,
  );
}

function lost({ id }: RetentionRun) {
  return new GuardrailsError(
    'executing',
    `Retention run ${id} was taken over by another process, because this one did not renew its lease in time. The other process continues it.`,
  );
}

/** The actor of scheduled runs. */
export const RETENTION_ACTOR = 'guardrails.retention';

const PERIODS_MS = { hourly: HOUR_MS, daily: DAY_MS } as const;
const MAX_PUBLISHED_PER_TICK = 20;
/** A tick is a minute. */
const MAX_RUNS_PER_TICK = 5_000;

interface RetentionScheduleOptions {
  readonly retention: Retention;
  readonly store: RetentionStore;
  readonly runs: RunStore;
  readonly settings: CurrentSettings;
  readonly router: EventRouter;
  readonly publisher: EventPublisher;
  readonly diagnostics: Diagnostics;
}

/** Starts due retention runs, on any instance, and publishes finished runs. */
export class RetentionSchedule {
  private hasWarned = false;

  constructor(private readonly options: RetentionScheduleOptions) {}

  async tick(): Promise<void> {
    try {
      await this.runDue();
    } finally {
      await this.publishFinishedRuns();
      await this.options.runs.deleteOld(MAX_RUNS_PER_TICK);
    }
  }

  private async runDue() {
    const settings = this.options.settings.current();
    const schedule = settings.get('retention.schedule');
    const strategy = settings.get('retention.strategy');
    if (schedule === 'off' || strategy === 'keep') return;
    const days = settings.get('retention.days');
    if (days === 0) return this.warnAboutZeroDays();
    const order = { strategy, scope: this.options.retention.olderThan(days), actorId: RETENTION_ACTOR };
    await this.options.retention.apply(order, { everyMs: PERIODS_MS[schedule] });
  }

  private warnAboutZeroDays() {
    if (!this.hasWarned)
      this.options.diagnostics.warn(
        'retention.days is 0: the schedule does not erase everything, so nothing is erased; set at least 1',
      );
    this.hasWarned = true;
  }

  /** Includes runs of the command line, which has no sinks and listeners. */
  private async publishFinishedRuns() {
    for (const run of await this.options.store.unpublished(MAX_PUBLISHED_PER_TICK)) {
      const event = new RetentionApplied(randomUUID(), run, run.finishedAt ?? run.startedAt);
      if (await this.options.store.markPublished(run.id, this.options.router.route(event)))
        this.options.publisher.publish(event);
    }
  }
}
