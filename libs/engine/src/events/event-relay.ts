import type { EventSink } from '#contracts/events/event-sink.js';
import { EventPublisher, type GuardrailsEvent } from '#contracts/events/guardrails-event.js';
import type { Diagnostics } from '../shared/ports.js';
import { withinTime } from '../shared/time-limit.js';
import { type QueueOptions, SinkQueue } from './sink-queue.js';

const DAY_MS = 24 * 60 * 60 * 1000;
const PRUNED_AT_ONCE = 1_000;

interface RelayOptions extends QueueOptions {
  readonly sinks: readonly EventSink[];
  /** Days that events are kept. */
  readonly retention: number;
}

/**
 * Delivers queued events to the sinks, at least once and in order per subject. Any number of instances may run
 * one.
 */
export class EventRelay {
  readonly queues: readonly SinkQueue[];

  constructor(private readonly options: RelayOptions) {
    this.queues = options.sinks.map((sink) => new SinkQueue(sink, options));
  }

  /** Starts delivery without waiting for the next round. */
  wake(): void {
    for (const queue of this.queues) queue.wake();
  }

  /** Delivers due events of all reachable sinks; resolves when none are due. */
  async deliverDue(): Promise<void> {
    await Promise.all(this.queues.map((queue) => queue.deliverDue()));
  }

  /**
   * Makes events that waited for days dead letters, and deletes events older than the retention, in batches.
   * Returns how many events were deleted.
   */
  async prune(): Promise<number> {
    await Promise.all(this.queues.map(({ delivery }) => delivery.markOldDead()));
    const { outbox, clock, retention, sinks } = this.options;
    const before = new Date(clock.now().getTime() - retention * DAY_MS);
    const names = sinks.map(({ name }) => name);
    return outbox.prune(before, PRUNED_AT_ONCE, names);
  }

  /** Releases claimed events, and waits this long for deliveries in progress. */
  async stop(withinMs: number): Promise<void> {
    await Promise.all(this.queues.map((queue) => queue.stop(withinMs)));
    await Promise.allSettled(this.options.sinks.map(async (sink) => withinTime(sink.close(), withinMs)));
  }
}

/**
 * Publishes committed events: starts the relay and the live stream, then calls the host's listeners. A listener that
 * throws is logged; it fails neither the control nor the request.
 */
export class EngineEventPublisher extends EventPublisher {
  constructor(
    private readonly listeners: EventPublisher | undefined,
    private readonly diagnostics: Diagnostics,
    private readonly onPublished: (event: GuardrailsEvent) => void,
  ) {
    super();
  }

  override publish(event: GuardrailsEvent) {
    this.onPublished(event);
    try {
      this.listeners?.publish(event);
    } catch {
      this.diagnostics.warn('a listener failed on an event', { event: event.name, id: event.id });
    }
  }
}
