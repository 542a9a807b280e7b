import type { EventSink } from '../../../contracts/src/event-sink.js';
import type { OutboxStore, QueuedEvent } from '../../../contracts/src/outbox.js';
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
    await Promise.all(this.sinks.map((sink) => this.drainSink(sink)));
  }

  private async drainSink(sink: EventSink): Promise<void> {
    for (;;) {
      const events = await this.outbox.claim(sink.name, BATCH, LEASE_MS);
      if (events.length === 0) return;
      for (const event of events) await this.deliver(sink, event);
    }
  }

  private async deliver(sink: EventSink, event: QueuedEvent): Promise<void> {
    try {
      await sink.deliver(event);
      await this.outbox.delivered(sink.name, [event]);
    } catch (error) {
      const reason = error instanceof Error ? error.message : 'unknown';
      this.diagnostics.warn('an event was not delivered and is tried again', { event: event.id, reason });
      await this.outbox.retry(sink.name, event, delayAfter(event.attempts), reason.slice(0, 500));
    }
  }
}

function delayAfter(attempts: number): number {
  return Math.min(1000 * 2 ** Math.min(attempts, 20), LONGEST_DELAY_MS);
}
