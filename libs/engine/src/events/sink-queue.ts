import type { Clock } from '#contracts/common/clock.js';
import type { EventSink } from '#contracts/events/event-sink.js';
import type { OutboxStore, QueuedEvent } from '#contracts/events/outbox.js';
import type { Diagnostics } from '../shared/ports.js';
import { withinTime } from '../shared/time-limit.js';
import type { EventDelivery } from './event-delivery.js';
import { SinkDelivery, SinkLog } from './sink-delivery.js';
import { SinkOutbox } from './sink-outbox.js';

const BATCH = 100;
/** Minimum lease, as a multiple of the delivery timeout. */
const TIMEOUTS_OF_A_LEASE = 2;
/** A claim of at least this many events is followed by another without a pause. */
const LARGE_CLAIM = BATCH / 2;

export interface QueueOptions {
  readonly outbox: OutboxStore;
  readonly eventDelivery: EventDelivery;
  readonly clock: Clock;
  readonly diagnostics: Diagnostics;
  /** Another instance may claim events whose lease has expired. */
  readonly leaseMs: number;
  readonly random: () => number;
  /** Removes secrets from error messages. */
  readonly withoutSecrets: (text: string) => string;
}

/**
 * Delivers the events of one sink: concurrent subjects up to the sink's limit, each in order. Independent of other
 * sinks.
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
  /** The last claim returned events, or ran beside deliveries in progress: another claim may find more. */
  private leftBehind = false;
  private stopped = false;

  constructor(
    readonly sink: EventSink,
    private readonly options: QueueOptions,
  ) {
    const log = new SinkLog(sink.name, options.diagnostics, options.withoutSecrets);
    this.log = log;
    // A delivery must be able to finish within its lease.
    this.leaseMs = Math.max(options.leaseMs, TIMEOUTS_OF_A_LEASE * sink.timeoutMs);
    this.outbox = new SinkOutbox(sink.name, options.outbox, this.leaseMs, (error) =>
      log.warnOnce(`the outbox cannot be read or written (${log.failureOf(error).reason})`),
    );
    this.delivery = new SinkDelivery({ ...options, sink, outbox: this.outbox, log });
  }

  /** Starts a round of deliveries if none is in progress. */
  wake(): void {
    this.woken = true;
    if (this.stopped) return;
    this.pumping ??= this.pump().finally(() => {
      this.pumping = null;
      if (this.woken) this.wake();
    });
  }

  /** Resolves when no event is due, or none can be delivered. */
  deliverDue(): Promise<void> {
    return this.pace.withoutPause(async () => {
      this.wake();
      await this.idle();
    });
  }

  /** Claims nothing more, waits this long for deliveries in progress, and releases the rest. */
  async stop(withinMs: number): Promise<void> {
    this.stopped = true;
    this.pace.stop();
    await withinTime(this.idle(), withinMs, { onTimeout: () => undefined });
    await this.handBack();
    await this.outbox.flush();
  }

  /** Called after a successful test delivery. */
  async receiverRecovered(): Promise<void> {
    this.delivery.breaker.succeeded();
    await this.delivery.resumeDeliveries();
    this.wake();
  }

  private get mayDeliver(): boolean {
    return !this.stopped && this.delivery.isOpen;
  }

  /** After failures, one event at a time is delivered as a probe. */
  private get isProbing(): boolean {
    return this.delivery.breaker.state === 'half_open';
  }

  private get capacity(): number {
    return this.isProbing ? 1 : this.sink.concurrency;
  }

  private async idle() {
    while (this.pumping !== null || this.underWay.size > 0) {
      await this.pumping;
      if (this.underWay.size > 0) await Promise.race(this.underWay);
    }
    await this.outbox.flush();
  }

  private async pump() {
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

  private async claimNext() {
    if (!this.pace.mayClaim()) return undefined;
    const leasedUntil = this.now() + this.leaseMs;
    const busy = this.underWay.size > 0;
    const events = this.isProbing ? await this.probe() : await this.outbox.claim(BATCH);
    this.pace.recordClaim(events.length >= LARGE_CLAIM);
    this.leftBehind = busy || events.length > 0;
    this.batches.push(...groupBySubject(events, leasedUntil));
    return this.batches.shift();
  }

  /** Without due events a retry serves as the probe, so that a receiver that recovered is noticed early. */
  private async probe() {
    const due = await this.outbox.claim(BATCH);
    if (due.length > 0) return due;
    await this.outbox.retryNow(1);
    return this.outbox.claim(BATCH);
  }

  private begin(chain: SubjectBatch) {
    const ended = this.deliverAll(chain)
      .then(() => this.flushBeforeNextClaim())
      .finally(() => {
        this.underWay.delete(ended);
        if (this.leftBehind || this.batches.length > 0 || !this.mayDeliver) this.wake();
      });
    this.underWay.add(ended);
  }

  /** Later events of a subject can be claimed only after the delivery was acknowledged. */
  private async flushBeforeNextClaim() {
    if (this.leftBehind) await this.outbox.flush();
  }

  /** Events after a failure are released, to keep the order. */
  private async deliverAll({ events, leasedUntil }: SubjectBatch) {
    for (const [at, event] of events.entries()) {
      const isLeaseLongEnough = this.now() + this.sink.timeoutMs < leasedUntil;
      if (!isLeaseLongEnough || !this.mayDeliver) return this.outbox.release(events.slice(at));
      if (!(await this.delivery.deliver(event))) return this.outbox.release(events.slice(at + 1));
    }
  }

  private async handBack() {
    await this.outbox.release(this.batches.splice(0).flatMap(({ events }) => events));
  }

  private now() {
    return this.options.clock.now().getTime();
  }
}

/** Events of one subject from one claim, in order. */
interface SubjectBatch {
  readonly events: readonly QueuedEvent[];
  readonly leasedUntil: number;
}

function groupBySubject(events: readonly QueuedEvent[], leasedUntil: number): readonly SubjectBatch[] {
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
 * Limits how often the outbox is polled: immediately after idle time, and under load at intervals, to keep the
 * database free for decisions.
 */
class ClaimPace {
  private lastClaim = Number.NEGATIVE_INFINITY;
  private timer: NodeJS.Timeout | null = null;
  private callersWaiting = 0;

  constructor(private readonly onPauseOver: () => void) {}

  /** If `false`, `onPauseOver` is called when the pause ends. */
  mayClaim(): boolean {
    const pause = this.lastClaim + PAUSE_MS - performance.now();
    if (this.callersWaiting > 0 || pause <= 0) return true;
    this.timer ??= setTimeout(() => {
      this.timer = null;
      this.onPauseOver();
    }, pause).unref();
    return false;
  }

  /** @param mayHoldMore the claim was large; the next one follows without a pause */
  recordClaim(mayHoldMore: boolean): void {
    this.lastClaim = mayHoldMore ? Number.NEGATIVE_INFINITY : performance.now();
  }

  /** Suspends the limit while a caller waits. */
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
