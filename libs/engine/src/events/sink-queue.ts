import type { Clock } from '../../../contracts/src/clock.js';
import type { EventSink } from '../../../contracts/src/event-sink.js';
import type { OutboxStore, QueuedEvent } from '../../../contracts/src/outbox.js';
import type { Diagnostics } from '../ports.js';
import { withinTime } from '../time-limit.js';
import type { EventDelivery } from './event-delivery.js';
import { SinkDelivery, SinkLog } from './sink-delivery.js';
import { SinkOutbox } from './sink-outbox.js';

const BATCH = 100;
/** A lease lasts at least so many times as long as one delivery may take. */
const TIMEOUTS_OF_A_LEASE = 2;
/** A claim that finds at least so much is followed by another one without a pause. */
const MUCH = BATCH / 2;

export interface QueueOptions {
  readonly outbox: OutboxStore;
  readonly eventDelivery: EventDelivery;
  readonly clock: Clock;
  readonly diagnostics: Diagnostics;
  /** What is claimed and not settled by then, another instance may claim. */
  readonly leaseMs: number;
  readonly random: () => number;
  /** What errors of sinks are shown without. */
  readonly withoutSecrets: (text: string) => string;
}

/**
 * Carries the events of one sink: as many subjects at once as the sink allows, each in its order. Nothing of it
 * waits for another sink.
 */
export class SinkQueue {
  readonly delivery: SinkDelivery;
  readonly log: SinkLog;
  private readonly outbox: SinkOutbox;
  private readonly leaseMs: number;
  private readonly pace = new ClaimPace(() => this.wake());
  private readonly batches: SubjectBatch[] = [];
  private readonly underWay = new Set<Promise<void>>();
  private pumping: Promise<void> | null = null;
  private woken = false;
  /** The last claim found something, or met subjects that were under way: what ends may let another one find more. */
  private leftBehind = false;
  private stopped = false;

  constructor(
    readonly sink: EventSink,
    private readonly options: QueueOptions,
  ) {
    const log = new SinkLog(sink.name, options.diagnostics, options.withoutSecrets);
    this.log = log;
    // What takes longer than its lease could never be begun in time.
    this.leaseMs = Math.max(options.leaseMs, TIMEOUTS_OF_A_LEASE * sink.timeoutMs);
    this.outbox = new SinkOutbox(sink.name, options.outbox, this.leaseMs, (error) =>
      log.warnOnce(`the outbox does not answer (${log.failureOf(error).reason})`),
    );
    this.delivery = new SinkDelivery({ ...options, sink, outbox: this.outbox, log });
  }

  /** There may be something to do. */
  wake(): void {
    this.woken = true;
    if (this.stopped) return;
    this.pumping ??= this.pump().finally(() => {
      this.pumping = null;
      if (this.woken) this.wake();
    });
  }

  /** Resolves when nothing is due any more, or nothing can be delivered for now. */
  deliverDue(): Promise<void> {
    return this.pace.withoutPause(async () => {
      this.wake();
      await this.idle();
    });
  }

  /** Takes nothing more, and hands back what was not begun. What is under way has this long to end. */
  async stop(withinMs: number): Promise<void> {
    this.stopped = true;
    this.pace.stop();
    await withinTime(this.idle(), withinMs, { onTimeout: () => undefined });
    await this.handBack();
    await this.outbox.flush();
  }

  /** The receiver answers, as a test has shown. */
  async receiverRecovered(): Promise<void> {
    this.delivery.breaker.succeeded();
    await this.delivery.resumeDeliveries();
    this.wake();
  }

  private get mayDeliver(): boolean {
    return !this.stopped && this.delivery.isOpen;
  }

  /** A receiver that failed is asked one event at a time, until it answers. */
  private get isProbing(): boolean {
    return this.delivery.breaker.state === 'half_open';
  }

  private get capacity(): number {
    return this.isProbing ? 1 : this.sink.concurrency;
  }

  private async idle(): Promise<void> {
    while (this.pumping !== null || this.underWay.size > 0) {
      await this.pumping;
      if (this.underWay.size > 0) await Promise.race(this.underWay);
    }
    await this.outbox.flush();
  }

  private async pump(): Promise<void> {
    while (this.woken) {
      this.woken = false;
      while (this.mayDeliver && this.underWay.size < this.capacity) {
        const chain = this.batches.shift() ?? (await this.claimNext());
        if (chain === undefined) break;
        this.begin(chain);
      }
    }
    if (!this.mayDeliver) await this.handBack();
  }

  private async claimNext(): Promise<SubjectBatch | undefined> {
    if (!this.pace.mayClaim()) return undefined;
    const leasedUntil = this.now() + this.leaseMs;
    const busy = this.underWay.size > 0;
    const events = this.isProbing ? await this.probe() : await this.outbox.claim(BATCH);
    this.pace.claimed(events.length >= MUCH);
    this.leftBehind = busy || events.length > 0;
    this.batches.push(...groupBySubject(events, leasedUntil));
    return this.batches.shift();
  }

  /** Where nothing is due, what waits for another try serves: nobody should wait for hours for a receiver that is back. */
  private async probe() {
    const due = await this.outbox.claim(BATCH);
    if (due.length > 0) return due;
    await this.outbox.retryNow(1);
    return this.outbox.claim(BATCH);
  }

  private begin(chain: SubjectBatch): void {
    const ended = this.deliverAll(chain)
      .then(() => this.flushBeforeNextClaim())
      .finally(() => {
        this.underWay.delete(ended);
        if (this.leftBehind || this.batches.length > 0 || !this.mayDeliver) this.wake();
      });
    this.underWay.add(ended);
  }

  /** What waits behind a delivered event can only be claimed once the outbox knows of the delivery. */
  private async flushBeforeNextClaim(): Promise<void> {
    if (this.leftBehind) await this.outbox.flush();
  }

  /** Whatever of it is not delivered goes back, so that the order holds. */
  private async deliverAll({ events, leasedUntil }: SubjectBatch): Promise<void> {
    for (const [at, event] of events.entries()) {
      const isLeaseLongEnough = this.now() + this.sink.timeoutMs < leasedUntil;
      if (!isLeaseLongEnough || !this.mayDeliver) return this.outbox.release(events.slice(at));
      if (!(await this.delivery.deliver(event))) return this.outbox.release(events.slice(at + 1));
    }
  }

  private async handBack(): Promise<void> {
    await this.outbox.release(this.batches.splice(0).flatMap(({ events }) => events));
  }

  private now(): number {
    return this.options.clock.now().getTime();
  }
}

/** Events of one subject out of one claim, in their order. */
export interface SubjectBatch {
  readonly events: readonly QueuedEvent[];
  readonly leasedUntil: number;
}

export function groupBySubject(events: readonly QueuedEvent[], leasedUntil: number): readonly SubjectBatch[] {
  const subjects = new Map<string, QueuedEvent[]>();
  for (const event of events) {
    const ofSubject = subjects.get(event.subject);
    if (ofSubject === undefined) subjects.set(event.subject, [event]);
    else ofSubject.push(event);
  }
  return Array.from(subjects.values(), (ofSubject) => ({ events: ofSubject, leasedUntil }));
}

const PAUSE_MS = 200;

/**
 * How often the outbox is asked: at once after a rest, and under load only now and then, for all that came meanwhile.
 * Every question costs the database what a decision could use.
 */
export class ClaimPace {
  private lastClaim = Number.NEGATIVE_INFINITY;
  private timer: NodeJS.Timeout | null = null;
  private callersWaiting = 0;

  constructor(private readonly onPauseOver: () => void) {}

  /** Where the answer is no, there will be word when it is yes. */
  mayClaim(): boolean {
    const pause = this.lastClaim + PAUSE_MS - performance.now();
    if (this.callersWaiting > 0 || pause <= 0) return true;
    this.timer ??= setTimeout(() => {
      this.timer = null;
      this.onPauseOver();
    }, pause).unref();
    return false;
  }

  /** @param mayHoldMore there is so much to do that pausing would only delay it */
  claimed(mayHoldMore: boolean): void {
    this.lastClaim = mayHoldMore ? Number.NEGATIVE_INFINITY : performance.now();
  }

  /** Without a pause for as long as somebody waits. */
  async withoutPause(work: () => Promise<void>): Promise<void> {
    this.callersWaiting += 1;
    try {
      await work();
    } finally {
      this.callersWaiting -= 1;
    }
  }

  stop(): void {
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
  }
}
