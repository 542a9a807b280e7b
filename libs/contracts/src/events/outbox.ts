import type { EventName } from './events.js';
import type { Page } from '../common/page.js';
import type { Severity } from '../screening/screening.js';

/** An event for external consumers. */
export interface OutgoingEvent {
  readonly id: string;
  readonly name: EventName;
  /** Events of one subject are delivered in order. */
  readonly subject: string;
  readonly severity: Severity;
  readonly occurredAt: Date;
  /** JSON-safe. */
  readonly payload: Readonly<Record<string, unknown>>;
  /** Names of the sinks that selected it; empty where only the live stream keeps it. */
  readonly sinks: readonly string[];
}

/** An event as the outbox stores it. */
export interface StoredEvent extends Omit<OutgoingEvent, 'sinks'> {
  /** Grows in the order of writing, which differs from the order of commits. */
  readonly position: number;
  /** The evidence it was committed with; `null` for events without evidence, such as settings changes. */
  readonly auditId: number | null;
}

/** An event that one caller has claimed for one sink. */
export interface QueuedEvent extends StoredEvent {
  /** Failed deliveries so far. */
  readonly attempts: number;
  /** When it was queued, or queued again. */
  readonly queuedAt: Date;
  /** Identifies the claim. After it has expired, only a successful delivery is accepted. */
  readonly lease: string;
}

/** An event with its sequence number; readers continue after it. */
export interface NumberedEvent extends StoredEvent {
  readonly sequence: number;
}

/** An event that could not be delivered to one sink, and is not retried. */
export interface DeadLetter extends NumberedEvent {
  /** Failed deliveries; 0 for an event that was never attempted. */
  readonly attempts: number;
  /** Why the last delivery failed. */
  readonly error: string | null;
  readonly diedAt: Date;
}

/** A page of dead letters, newest event first. */
export interface DeadLetterRequest {
  /** Only events before this `next_cursor` of a page. */
  readonly cursor?: number;
  /** Only the event with this sequence number. */
  readonly sequence?: number;
  /** At least 1. */
  readonly limit: number;
}

/** Open deliveries of one sink, over all instances. */
export interface SinkBacklog {
  readonly sink: string;
  readonly waiting: number;
  /** Waiting events that have failed before. */
  readonly retrying: number;
  readonly dead: number;
  /** When the oldest waiting event happened; `null` if no event is waiting. */
  readonly waitingSince: Date | null;
  /** Last error of the oldest waiting event; `null` if its delivery has not failed. */
  readonly error: string | null;
}

/**
 * Events, and the open deliveries of each sink, written by the transaction that they describe. Any instance claims
 * deliveries, at least once. Every sink has its own queue, so that none delays another. Within a sink, events of
 * one subject keep their order.
 */
export abstract class OutboxStore {
  /**
   * Claims up to `limit` due events of a sink, in the order of their positions, and leases them for `leaseMs`. No event
   * is leased to two callers. An event is claimed after all earlier waiting events of its subject, or together with
   * them.
   */
  abstract claim(sink: string, limit: number, leaseMs: number): Promise<readonly QueuedEvent[]>;

  /** Removes delivered events from the queue. Accepted after the lease has expired, and twice. */
  abstract delivered(sink: string, events: readonly QueuedEvent[]): Promise<void>;

  /** Returns an event to the queue, due after `delayMs`; later events of its subject wait as long. */
  abstract retry(sink: string, event: QueuedEvent, delayMs: number, error: string): Promise<void>;

  /** Makes an event a dead letter. Later events of its subject continue. */
  abstract markDead(sink: string, event: QueuedEvent, error: string): Promise<void>;

  /** Returns events that were not attempted: due at once, and no attempt is counted. */
  abstract release(sink: string, events: readonly QueuedEvent[]): Promise<void>;

  /** Dead letters of a sink. The cost of a page does not depend on the number of events or dead letters. */
  abstract deadLetters(sink: string, request: DeadLetterRequest): Promise<Page<DeadLetter>>;

  /**
   * Makes dead letters of a sink due again, without counted attempts: oldest first, or only the event with this
   * sequence number. Returns how many.
   */
  abstract retryDead(sink: string, limit: number, sequence?: number): Promise<number>;

  /** Queues events that belong to no transaction, such as those of an outage. */
  abstract add(events: readonly OutgoingEvent[]): Promise<void>;

  /**
   * Makes retries of a sink due at once, because its receiver is available again: all of them, or the `limit` retries
   * that are due first.
   */
  abstract retryNow(sink: string, limit?: number): Promise<void>;

  /**
   * Makes up to `limit` events that have waited this long dead letters, oldest first, whether attempted or not.
   * Leased events are skipped; later events of their subjects continue. Returns how many.
   */
  abstract markOldDead(sink: string, waitedMs: number, limit: number, error: string): Promise<number>;

  /** Queues stored events for a sink again; those that wait already are not duplicated. Returns how many wait. */
  abstract requeue(sink: string, positions: readonly number[]): Promise<number>;

  /** One entry per sink with open deliveries or dead letters, by name. */
  abstract backlog(): Promise<readonly SinkBacklog[]>;

  /**
   * Returns stored events with sequence numbers above `sequence`. Numbers are assigned after the commit, so that a
   * later commit never gets a lower number than an event that was already read.
   */
  abstract after(sequence: number, limit: number): Promise<readonly NumberedEvent[]>;

  /** Sequence number of the newest event; 0 before the first. */
  abstract newest(): Promise<number>;

  /**
   * Deletes up to `limit` of the oldest events that happened before this time. Events that wait for one of `sinks`
   * stay; dead letters and deliveries for other sinks are deleted. Returns how many events were deleted.
   */
  abstract prune(before: Date, limit: number, sinks: readonly string[]): Promise<number>;
}
