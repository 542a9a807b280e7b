import type { Clock } from '../../../contracts/src/clock.js';
import type { EventSink } from '../../../contracts/src/event-sink.js';
import type { QueuedEvent } from '../../../contracts/src/outbox.js';
import { CircuitBreaker } from './circuit-breaker.js';
import type { EventTeller } from './event-teller.js';
import type { SinkLog } from './sink-log.js';
import type { SinkOutbox } from './sink-outbox.js';
import { SinkRecord } from './sink-record.js';
import { delayAfter, TRIED_FOR_MS } from './retry-schedule.js';

const HOUR_MS = 60 * 60 * 1000;
const BURIED_AT_ONCE = 1_000;

export interface DeliveryParts {
  readonly sink: EventSink;
  readonly outbox: SinkOutbox;
  readonly teller: EventTeller;
  readonly clock: Clock;
  readonly log: SinkLog;
  readonly random: () => number;
}

/** One event to one sink, and what follows from how that went. */
export class SinkDelivery {
  readonly record = new SinkRecord();
  readonly breaker: CircuitBreaker;
  private lookedForOld = Number.NEGATIVE_INFINITY;
  private readonly since: number;

  constructor(private readonly parts: DeliveryParts) {
    this.breaker = new CircuitBreaker(parts.clock);
    this.since = this.now();
  }

  /** Neither rests the sink, nor is its receiver being spared. */
  get isOpen(): boolean {
    return this.record.restsSince === null && this.breaker.state !== 'open';
  }

  /** The receiver answers again: whatever waits for another try need not wait longer. */
  async recovered(): Promise<void> {
    this.record.restsSince = null;
    await this.parts.outbox.hasten();
  }

  /** Answers whether it arrived. */
  async of(event: QueuedEvent): Promise<boolean> {
    const { sink, teller, clock, log, outbox } = this.parts;
    try {
      await teller.tell(sink, event, event.attempts);
    } catch (error) {
      await this.failed(event, error);
      return false;
    }
    this.record.succeeded(clock.now());
    log.forget();
    outbox.delivered(event);
    if (this.breaker.succeeded()) await this.recovered();
    return true;
  }

  /** What nobody could be told for days is given up, tried or not, so that the outbox of a dead receiver has an end. */
  async giveUpOld(): Promise<void> {
    const { outbox, log } = this.parts;
    if (this.answered || this.now() < this.lookedForOld + HOUR_MS) return;
    this.lookedForOld = this.now();
    const reason = this.record.lastError ?? 'the receiver did not answer';
    let buried = 0;
    let some: number;
    do {
      some = await outbox.buryOld(TRIED_FOR_MS, BURIED_AT_ONCE, reason);
      buried += some;
    } while (some === BURIED_AT_ONCE);
    this.record.dead += buried;
    if (buried > 0) log.say('events are given up: they stay as dead letters', { events: buried });
  }

  /** It is in order, or was so lately. */
  private get answered(): boolean {
    const isWell = this.record.restsSince === null && this.breaker.state === 'closed';
    return isWell || this.silentMs < HOUR_MS;
  }

  /** For how long this instance knows of no answer: what waited while nobody was there to tell it gets its chance. */
  private get silentMs(): number {
    return this.now() - (this.record.lastSuccessAt?.getTime() ?? this.since);
  }

  private async failed(event: QueuedEvent, error: unknown): Promise<void> {
    const { log, outbox, clock, random } = this.parts;
    const { reason, retryAfterMs, gone } = log.failureOf(error);
    this.record.failedWith(reason, clock.now());
    this.breaker.failed(retryAfterMs);
    if (gone) {
      this.record.restsSince = clock.now();
      log.say('a receiver wants no more events: its sink rests', { reason });
      return outbox.release([event]);
    }
    const waitedMs = this.now() - event.queuedAt.getTime();
    if (waitedMs < TRIED_FOR_MS) {
      if (event.attempts === 0) log.sayOnce(reason);
      return outbox.retry(event, delayAfter(event.attempts, retryAfterMs, random), reason);
    }
    this.record.dead += 1;
    log.say('an event is given up: it stays as a dead letter', { event: event.id });
    await outbox.bury(event, reason);
  }

  private now(): number {
    return this.parts.clock.now().getTime();
  }
}
