import { randomUUID } from 'node:crypto';
import type { EventPublisher } from '#contracts/events/guardrails-event.js';
import { RetentionApplied } from '#contracts/events/operation-events.js';
import type { EventRouter, CurrentSettings, Diagnostics } from '../shared/ports.js';
import type { RetentionStore } from '#contracts/stores/retention.store.js';
import type { Retention } from './retention.js';

/** The actor of scheduled runs. */
export const RETENTION_ACTOR = 'guardrails.retention';

const PERIODS_MS = { hourly: 60 * 60 * 1000, daily: 24 * 60 * 60 * 1000 } as const;
const MAX_PUBLISHED_PER_TICK = 20;

interface RetentionScheduleOptions {
  readonly retention: Retention;
  readonly store: RetentionStore;
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
    }
  }

  private async runDue(): Promise<void> {
    const settings = this.options.settings.current();
    const schedule = settings.get('retention.schedule');
    const strategy = settings.get('retention.strategy');
    if (schedule === 'off' || strategy === 'keep') return;
    const days = settings.get('retention.days');
    if (days === 0) return this.warnAboutZeroDays();
    const order = { strategy, scope: this.options.retention.olderThan(days), actorId: RETENTION_ACTOR };
    await this.options.retention.apply(order, { everyMs: PERIODS_MS[schedule] });
  }

  private warnAboutZeroDays(): void {
    if (!this.hasWarned)
      this.options.diagnostics.warn(
        'retention.days is 0: the schedule does not erase everything, so nothing is erased; set at least 1',
      );
    this.hasWarned = true;
  }

  /** Includes runs of the command line, which has no sinks and listeners. */
  private async publishFinishedRuns(): Promise<void> {
    for (const run of await this.options.store.unpublished(MAX_PUBLISHED_PER_TICK)) {
      const event = new RetentionApplied(randomUUID(), run, run.finishedAt ?? run.startedAt);
      if (await this.options.store.markPublished(run.id, this.options.router.route(event)))
        this.options.publisher.publish(event);
    }
  }
}
