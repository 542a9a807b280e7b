import type { EventName } from './events.js';
import type { Severity } from './screening.js';

/** An event on its way to external consumers. */
export interface OutgoingEvent {
  readonly id: string;
  readonly name: EventName;
  /** Events of one subject are delivered in order. */
  readonly subject: string;
  readonly severity: Severity;
  readonly occurredAt: Date;
  /** JSON-safe. */
  readonly payload: Readonly<Record<string, unknown>>;
  /** The names of those that selected it; none where it is kept for the live stream alone. */
  readonly sinks: readonly string[];
}

/** An event as the outbox keeps it, for as long as it is kept. */
export interface StoredEvent extends Omit<OutgoingEvent, 'sinks'> {
  /** Grows in the order of writing, which is not the order of commits. */
  readonly position: number;
  /** The evidence it was committed with; `null` where there is none, as for settings. */
  readonly auditId: number | null;
}

/** An event that waits for one sink, in the hands of whoever claimed it. */
export interface QueuedEvent extends StoredEvent {
  /** How often its delivery has failed: 0 at first. */
  readonly attempts: number;
  /** Since when it waits: since it happened, or was queued once more. */
  readonly queuedAt: Date;
  /** Names the claim: once it has run out, only word of a delivery counts. */
  readonly lease: string;
}

/** An event with the number under which readers go on after it. */
export interface NumberedEvent extends StoredEvent {
  readonly sequence: number;
}

/** What is left to do for one sink, by all instances together. */
export interface SinkBacklog {
  readonly sink: string;
  readonly waiting: number;
  /** Of those, how many have failed before. */
  readonly retrying: number;
  readonly dead: number;
  /** When the oldest waiting event happened; `null` where none waits. */
  readonly waitingSince: Date | null;
  /** What that one failed of last; `null` where it did not. */
  readonly error: string | null;
}

/**
 * Events that happened, and for each sink the deliveries that are left. Both are put there by the transaction that
 * they tell of. Deliveries are taken by claim, by any instance, at least once; every sink has a queue of its own, so
 * that none waits for another. Within a sink the events of one subject keep their order.
 */
export abstract class OutboxStore {
  /**
   * Takes up to `limit` due events of a sink for `leaseMs`, by position. No two callers hold the same one, and none
   * overtakes its subject: an event is handed over only together with, or after, all that wait before it.
   */
  abstract claim(sink: string, limit: number, leaseMs: number): Promise<readonly QueuedEvent[]>;

  /** They arrived. Counts also after the lease, and twice. */
  abstract delivered(sink: string, events: readonly QueuedEvent[]): Promise<void>;

  /** Back into the queue, due again after `delayMs`; those behind it of its subject wait as long. */
  abstract retry(sink: string, event: QueuedEvent, delayMs: number, error: string): Promise<void>;

  /** Nobody tries it again until it is revived. What waits behind it of its subject goes on. */
  abstract bury(sink: string, event: QueuedEvent, error: string): Promise<void>;

  /** Hands back what was not tried: due at once, and no attempt is counted. */
  abstract release(sink: string, events: readonly QueuedEvent[]): Promise<void>;

  /** Dead letters of a sink become due again, with no attempt counted; the oldest first. Answers how many. */
  abstract revive(sink: string, limit: number): Promise<number>;

  /** Queues events that belong to no transaction: what the store could not take while it was away. */
  abstract add(events: readonly OutgoingEvent[]): Promise<void>;

  /** What waits for another try of a sink is due at once: its receiver is back. With a limit, what is due first. */
  abstract hasten(sink: string, limit?: number): Promise<void>;

  /**
   * Buries up to `limit` that have waited for this long, tried or not, the oldest first; not what is leased. What
   * waits behind them of their subjects goes on. Answers how many.
   */
  abstract buryOld(sink: string, waitedMs: number, limit: number, error: string): Promise<number>;

  /** Queues kept events for a sink once more; those that wait already, only wait. Answers how many wait now. */
  abstract requeue(sink: string, positions: readonly number[]): Promise<number>;

  /** One for each sink that has anything left, in the order of their names. */
  abstract backlog(): Promise<readonly SinkBacklog[]>;

  /**
   * What is kept, in an order in which nothing ever appears before what was read: numbers are given after the commit,
   * so whoever goes on after the last one misses nothing. What is being committed comes a moment later.
   */
  abstract after(sequence: number, limit: number): Promise<readonly NumberedEvent[]>;

  /** The number of the newest event; 0 before the first. */
  abstract newest(): Promise<number>;

  /**
   * Forgets up to `limit` of the oldest events that happened before this time. What waits for one of `sinks` stays;
   * dead letters go, and so do deliveries for a sink that nobody names any more. Answers how many events went.
   */
  abstract prune(before: Date, limit: number, sinks: readonly string[]): Promise<number>;
}
