import type { EventSink, OutboxStore, QueuedEvent } from '../../../contracts/src/events.js';
import type { Diagnostics } from '../diagnostics.js';

const BATCH = 100;
const LEASE_MS = 30_000;
const LONGEST_DELAY_MS = 60 * 60 * 1000;

/** Carries queued events to the sinks, at least once and in the order of each subject. */
export class EventRelay {
  private running: Promise<void> | null = null;

  constructor(
    private readonly outbox: OutboxStore,
    private readonly sinks: readonly EventSink[],
    private readonly diagnostics: Diagnostics,
  ) {}

  /** Delivers what is due now. A second call while one is under way joins it. */
  deliverDue(): Promise<void> {
    if (this.sinks.length === 0) return Promise.resolve();
    this.running ??= this.drain().finally(() => (this.running = null));
    return this.running;
  }

  private async drain(): Promise<void> {
    for (;;) {
      const events = await this.outbox.claim(BATCH, LEASE_MS);
      for (const event of events) await this.deliver(event);
      if (events.length < BATCH) return;
    }
  }

  private async deliver(event: QueuedEvent): Promise<void> {
    try {
      const interested = this.sinks.filter((sink) => sink.selects(event.name, event.severity));
      await Promise.all(interested.map((sink) => sink.deliver(event)));
      await this.outbox.delivered(event.position);
    } catch (error) {
      const reason = error instanceof Error ? error.message : 'unknown';
      this.diagnostics.warn('an event was not delivered and is tried again', { event: event.id, reason });
      await this.outbox.retry(event.position, delayAfter(event.attempts), reason.slice(0, 500));
    }
  }
}

function delayAfter(attempts: number): number {
  return Math.min(1000 * 2 ** Math.min(attempts, 20), LONGEST_DELAY_MS);
}
