import { messageOf } from '#contracts/common/errors.js';
import type { Clock } from '#contracts/common/clock.js';
import { DeliveryError, type EventSink } from '#contracts/events/event-sink.js';
import type { QueuedEvent } from '#contracts/events/outbox.js';
import { scrubText, takeCodePoints } from '#contracts/common/text.js';
import type { Diagnostics } from '../shared/ports.js';
import { CircuitBreaker } from './circuit-breaker.js';
import type { EventDelivery } from './event-delivery.js';
import type { SinkOutbox } from './sink-outbox.js';

const HOUR_MS = 60 * 60 * 1000;
const BURIED_AT_ONCE = 1_000;

interface DeliveryParts {
  readonly sink: EventSink;
  readonly outbox: SinkOutbox;
  readonly eventDelivery: EventDelivery;
  readonly clock: Clock;
  readonly log: SinkLog;
  readonly random: () => number;
}

/** Delivers single events to one sink, and handles success, retry and dead letters. */
export class SinkDelivery {
  readonly counters = new SinkCounters();
  readonly breaker: CircuitBreaker;
  private oldCheckedAt = Number.NEGATIVE_INFINITY;
  private readonly since: number;

  constructor(private readonly parts: DeliveryParts) {
    this.breaker = new CircuitBreaker(parts.clock);
    this.since = this.now();
  }

  /** Whether deliveries may start: the sink is not paused, and the breaker is not open. */
  get isOpen(): boolean {
    return this.counters.pausedSince === null && this.breaker.state !== 'open';
  }

  /** The receiver is available again: retries are due at once. */
  async resumeDeliveries(): Promise<void> {
    this.counters.pausedSince = null;
    await this.parts.outbox.retryNow();
  }

  /** Returns whether the event arrived. */
  async deliver(event: QueuedEvent): Promise<boolean> {
    const { sink, eventDelivery, clock, log, outbox } = this.parts;
    try {
      await eventDelivery.deliver(sink, event, event.attempts);
    } catch (error) {
      await this.failed(event, error);
      return false;
    }
    this.counters.succeeded(clock.now());
    log.reset();
    outbox.delivered(event);
    if (this.breaker.succeeded()) await this.resumeDeliveries();
    return true;
  }

  /**
   * Makes events that waited for days dead letters, so that the outbox of a dead receiver does not grow without
   * limit.
   */
  async markOldDead(): Promise<void> {
    const { outbox, log } = this.parts;
    if (this.isReachable || this.now() < this.oldCheckedAt + HOUR_MS) return;
    this.oldCheckedAt = this.now();
    const reason = this.counters.lastError ?? 'the receiver did not answer';
    let buried = 0;
    let some: number;
    do {
      some = await outbox.markOldDead(MAX_RETRY_MS, BURIED_AT_ONCE, reason);
      buried += some;
    } while (some === BURIED_AT_ONCE);
    this.counters.dead += buried;
    if (buried > 0)
      log.warn(
        'events became dead letters after the retry period; replay them when the receiver is available',
        { events: buried },
      );
  }

  /** Whether the receiver is available, or was within the last hour. */
  private get isReachable(): boolean {
    const isWell = this.counters.pausedSince === null && this.breaker.state === 'closed';
    return isWell || this.silentMs < HOUR_MS;
  }

  /**
   * Time without a success on this instance. Counts from its start, so that events that waited during an outage
   * get a first attempt.
   */
  private get silentMs(): number {
    return this.now() - (this.counters.lastSuccessAt?.getTime() ?? this.since);
  }

  private async failed(event: QueuedEvent, error: unknown): Promise<void> {
    const { log, outbox, clock, random } = this.parts;
    const { reason, retryAfterMs, gone } = log.failureOf(error);
    this.counters.failedWith(reason, clock.now());
    this.breaker.failed(retryAfterMs);
    if (gone) {
      this.counters.pausedSince = clock.now();
      log.warn('the receiver refused further events; the sink is paused until a test delivery succeeds', {
        reason,
      });
      return outbox.release([event]);
    }
    const waitedMs = this.now() - event.queuedAt.getTime();
    if (waitedMs < MAX_RETRY_MS) {
      if (event.attempts === 0) log.warnOnce(reason);
      return outbox.retry(event, delayAfter(event.attempts, retryAfterMs, random), reason);
    }
    this.counters.dead += 1;
    log.warn(
      'an event became a dead letter after the retry period; replay it when the receiver is available',
      { event: event.id },
    );
    await outbox.markDead(event, reason);
  }

  private now() {
    return this.parts.clock.now().getTime();
  }
}

/** Log of one sink, without repetitions. */
export class SinkLog {
  private lastReason: string | null = null;

  constructor(
    private readonly sink: string,
    private readonly diagnostics: Diagnostics,
    private readonly withoutSecrets: (text: string) => string,
  ) {}

  failureOf(error: unknown): Failure {
    return failureOf(error, this.withoutSecrets);
  }

  warn(message: string, facts: Readonly<Record<string, unknown>>): void {
    this.diagnostics.warn(message, { sink: this.sink, ...facts });
  }

  /** Logs a reason once, until another reason is logged or a delivery succeeds. */
  warnOnce(reason: string): void {
    if (this.lastReason === reason) return;
    this.lastReason = reason;
    this.warn('events cannot be delivered and will be retried', { reason });
  }

  reset(): void {
    this.lastReason = null;
  }
}

/** Delivery counts of one sink on this instance. */
class SinkCounters {
  delivered = 0;
  failed = 0;
  dead = 0;
  lastSuccessAt: Date | null = null;
  lastFailureAt: Date | null = null;
  lastError: string | null = null;
  /** The time at which the receiver refused further events. */
  pausedSince: Date | null = null;

  succeeded(now: Date): void {
    this.delivered += 1;
    this.lastSuccessAt = now;
  }

  failedWith(reason: string, now: Date): void {
    this.failed += 1;
    this.lastFailureAt = now;
    this.lastError = reason;
  }
}

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Delay after each failed attempt; the last one repeats. Follows the recommendation of Standard Webhooks. */
const DELAYS = [
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
] as const;

const JITTER = 0.2;
const MAX_RETRY_AFTER_MS = 24 * HOUR;

/** After this time a failing event becomes a dead letter. */
const MAX_RETRY_MS = 72 * HOUR;

/**
 * Adds jitter, so that events that failed together are not retried together; never earlier than the receiver
 * asked.
 */
function delayAfter(attempts: number, retryAfterMs: number | null, random: () => number) {
  const delay = DELAYS[attempts] ?? 24 * HOUR;
  const spread = Math.round(delay * (1 + JITTER * (2 * random() - 1)));
  return Math.max(spread, Math.min(retryAfterMs ?? 0, MAX_RETRY_AFTER_MS));
}

const MAX_ERROR_LENGTH = 300;
/** Custom sinks may throw messages of any length. */
const MAX_READ_LENGTH = 10_000;

/** Addresses may contain tokens, so they are removed from error messages. */
const ADDRESS = /[a-z][a-z0-9+.-]{1,20}:\/\/[^\s"'<>]*/gi;

export interface Failure {
  readonly reason: string;
  readonly retryAfterMs: number | null;
  readonly gone: boolean;
}

/** Converts an error to a message for operators. */
export function failureOf(error: unknown, withoutSecrets: (text: string) => string): Failure {
  const message = messageOf(error, 'the sink failed');
  const read = takeCodePoints(scrubText(message), MAX_READ_LENGTH).head;
  const reason = takeCodePoints(withoutSecrets(read.replaceAll(ADDRESS, '[address]')), MAX_ERROR_LENGTH).head;
  if (error instanceof DeliveryError) return { reason, retryAfterMs: error.retryAfterMs, gone: error.gone };
  return { reason, retryAfterMs: null, gone: false };
}
