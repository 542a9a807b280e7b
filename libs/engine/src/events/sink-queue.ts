import type { Clock } from '../../../contracts/src/clock.js';
import type { EventSink } from '../../../contracts/src/event-sink.js';
import type { OutboxStore, QueuedEvent } from '../../../contracts/src/outbox.js';
import type { Diagnostics } from '../diagnostics.js';
import { Acknowledgements } from './acknowledgements.js';
import { chainsOf, type Chain } from './chain.js';
import { CircuitBreaker } from './circuit-breaker.js';
import type { EventTeller } from './event-teller.js';
import { failureOf } from './failure-reason.js';
import { delayAfter } from './retry-schedule.js';
import { SinkRecord } from './sink-record.js';

const BATCH = 100;

export interface QueueOptions {
  readonly outbox: OutboxStore;
  readonly teller: EventTeller;
  readonly clock: Clock;
  readonly diagnostics: Diagnostics;
  /** What is claimed and not settled by then, another instance may claim. */
  readonly leaseMs: number;
  readonly random: () => number;
}

/**
 * Carries the events of one sink: as many subjects at once as the sink allows, each in its order. Nothing of it
 * waits for another sink.
 */
export class SinkQueue {
  readonly record = new SinkRecord();
  readonly breaker: CircuitBreaker;
  private readonly arrived: Acknowledgements;
  private readonly chains: Chain[] = [];
  private readonly underWay = new Set<Promise<void>>();
  private pumping: Promise<void> | null = null;
  private woken = false;
  /** The last claim was full, or met subjects that were under way: what ends may let another one find more. */
  private leftBehind = false;
  private stopped = false;
  private silentSince: string | null = null;

  constructor(
    readonly sink: EventSink,
    private readonly options: QueueOptions,
  ) {
    this.breaker = new CircuitBreaker(options.clock);
    this.arrived = new Acknowledgements(options.outbox, sink.name, (error) => this.storeFailed(error));
  }

  /** There may be something to do. */
  wake(): void {
    this.woken = true;
    if (this.stopped) return;
    this.pumping ??= this.pump().finally(() => (this.pumping = null));
  }

  /** Resolves when nothing is due any more, or nothing can be delivered for now. */
  async idle(): Promise<void> {
    while (this.pumping !== null || this.underWay.size > 0) {
      await this.pumping;
      if (this.underWay.size > 0) await Promise.race(this.underWay);
    }
    await this.arrived.settled();
  }

  /** Takes nothing more, and hands back what was not begun. What is under way has this long to end. */
  async stop(withinMs: number): Promise<void> {
    this.stopped = true;
    const ended = this.idle();
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, withinMs)));
    await Promise.race([ended, late]);
    clearTimeout(timer);
    await this.handBack();
    await this.arrived.settled();
  }

  /** The receiver answers again: whatever waits for another try need not wait longer. */
  async recovered(): Promise<void> {
    this.record.restsSince = null;
    await this.store(() => this.options.outbox.hasten(this.sink.name));
    this.wake();
  }

  private get mayDeliver(): boolean {
    return !this.stopped && this.record.restsSince === null && this.breaker.state !== 'open';
  }

  /** A receiver that failed is asked one event at a time, until it answers. */
  private get capacity(): number {
    return this.breaker.state === 'closed' ? this.sink.concurrency : 1;
  }

  private async pump(): Promise<void> {
    while (this.woken) {
      this.woken = false;
      while (this.mayDeliver && this.underWay.size < this.capacity) {
        const chain = this.chains.shift() ?? (await this.claimed());
        if (chain === undefined) break;
        this.begin(chain);
      }
    }
    if (!this.mayDeliver) await this.handBack();
  }

  private async claimed(): Promise<Chain | undefined> {
    const leasedUntil = this.now() + this.options.leaseMs;
    const { outbox, leaseMs } = this.options;
    const busy = this.underWay.size > 0;
    const events = (await this.store(() => outbox.claim(this.sink.name, BATCH, leaseMs))) ?? [];
    this.leftBehind = busy || events.length === BATCH;
    this.chains.push(...chainsOf(events, leasedUntil));
    return this.chains.shift();
  }

  private begin(chain: Chain): void {
    const ended = this.deliverAll(chain)
      .then(() => this.freed())
      .finally(() => {
        this.underWay.delete(ended);
        if (this.leftBehind || this.chains.length > 0 || !this.mayDeliver) this.wake();
      });
    this.underWay.add(ended);
  }

  /** What waits behind a delivered event can only be claimed once the outbox knows of the delivery. */
  private async freed(): Promise<void> {
    if (this.leftBehind) await this.arrived.settled();
  }

  /** Whatever of it is not delivered goes back, so that the order holds. */
  private async deliverAll({ events, leasedUntil }: Chain): Promise<void> {
    for (const [at, event] of events.entries()) {
      const inTime = this.now() + this.sink.timeoutMs < leasedUntil;
      const delivered = inTime && this.mayDeliver ? await this.delivered(event) : null;
      if (delivered === true) continue;
      const rest = events.slice(delivered === null ? at : at + 1);
      await this.store(() => this.options.outbox.release(this.sink.name, rest));
      return;
    }
  }

  private async delivered(event: QueuedEvent): Promise<boolean> {
    try {
      await this.options.teller.tell(this.sink, event, event.attempts);
    } catch (error) {
      await this.failed(event, error);
      return false;
    }
    this.record.succeeded(this.options.clock.now());
    this.silentSince = null;
    this.arrived.add(event);
    if (this.breaker.succeeded()) await this.recovered();
    return true;
  }

  private async failed(event: QueuedEvent, error: unknown): Promise<void> {
    const { reason, retryAfterMs, gone } = failureOf(error);
    const { name } = this.sink;
    this.record.failedWith(reason, this.options.clock.now());
    this.breaker.failed(retryAfterMs);
    if (gone) {
      this.record.restsSince = this.options.clock.now();
      this.options.diagnostics.warn('a receiver wants no more events: its sink rests', {
        sink: name,
        reason,
      });
      await this.store(() => this.options.outbox.release(name, [event]));
      return;
    }
    const delay = delayAfter(event.attempts, retryAfterMs, this.options.random);
    if (delay !== null) {
      if (event.attempts === 0) this.sayOnce(reason);
      await this.store(() => this.options.outbox.retry(name, event, delay, reason));
      return;
    }
    this.record.dead += 1;
    this.options.diagnostics.warn('an event is given up: it stays as a dead letter', {
      sink: name,
      event: event.id,
    });
    await this.store(() => this.options.outbox.bury(name, event, reason));
  }

  private async handBack(): Promise<void> {
    const left = this.chains.splice(0).flatMap(({ events }) => events);
    if (left.length > 0) await this.store(() => this.options.outbox.release(this.sink.name, left));
  }

  /** A receiver that is down says the same again and again; the log need not. */
  private sayOnce(reason: string): void {
    if (this.silentSince === reason) return;
    this.silentSince = reason;
    this.options.diagnostics.warn('events are not delivered, and are tried again', {
      sink: this.sink.name,
      reason,
    });
  }

  /** A store that is away costs nothing but time: what was leased falls due again by itself. */
  private async store<Result>(act: () => Promise<Result>): Promise<Result | undefined> {
    try {
      return await act();
    } catch (error) {
      this.storeFailed(error);
      return undefined;
    }
  }

  private storeFailed(error: unknown): void {
    this.sayOnce(`the outbox does not answer (${failureOf(error).reason})`);
  }

  private now(): number {
    return this.options.clock.now().getTime();
  }
}
