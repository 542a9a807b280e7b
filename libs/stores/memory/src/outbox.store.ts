import type { Clock } from '#contracts/common/clock.js';
import {
  OutboxStore,
  type DeadLetterRequest,
  type NumberedEvent,
  type OutgoingEvent,
  type QueuedEvent,
  type SinkBacklog,
  type StoredEvent,
} from '#contracts/events/outbox.js';
import { copyOf, type MemoryTables, type Delivery, type OutboxTables } from './memory-tables.js';

export class MemoryOutboxStore extends OutboxStore {
  private readonly outbox: OutboxTables;
  private claims = 0;

  constructor(
    tables: MemoryTables,
    private readonly clock: Clock,
  ) {
    super();
    this.outbox = tables.outbox;
  }

  override async claim(sink: string, limit: number, leaseMs: number) {
    const now = this.now();
    const lease = `claim-${++this.claims}`;
    const claimed: QueuedEvent[] = [];
    const blocked = new Set<string>();
    const left = this.outbox.deliveriesOf(sink);
    for (const delivery of left.values()) {
      if (claimed.length >= limit) break;
      if (isDead(delivery) || blocked.has(delivery.subject)) continue;
      if (delivery.dueAt > now) {
        blocked.add(delivery.subject);
        continue;
      }
      left.set(delivery.position, { ...delivery, dueAt: now + leaseMs, lease });
      const { attempts, queuedAt } = delivery;
      const event = copyOf(this.event(delivery.position));
      claimed.push({ ...event, attempts, queuedAt: new Date(queuedAt), lease });
    }
    return claimed;
  }

  override async delivered(sink: string, events: readonly QueuedEvent[]) {
    const left = this.outbox.deliveriesOf(sink);
    for (const { position } of events) if (isWaiting(left.get(position))) left.delete(position);
  }

  override async retry(sink: string, event: QueuedEvent, delayMs: number, error: string) {
    const dueAt = this.now() + delayMs;
    this.change(sink, event, ({ attempts }) => ({ attempts: attempts + 1, dueAt, error }));
  }

  override async markDead(sink: string, event: QueuedEvent, error: string) {
    this.change(sink, event, ({ attempts }) => ({ attempts: attempts + 1, deadAt: this.now(), error }));
  }

  override async release(sink: string, events: readonly QueuedEvent[]) {
    for (const event of events) this.change(sink, event, () => ({ dueAt: this.now() }));
  }

  override async deadLetters(sink: string, request: DeadLetterRequest) {
    const { cursor = Number.POSITIVE_INFINITY, sequence, limit } = request;
    const dead = this.dead(sink, sequence)
      .filter(({ position }) => position < cursor)
      .toReversed();
    const entries = dead.slice(0, limit).map(({ position, attempts, error, deadAt }) => {
      const event = copyOf(this.event(position));
      return { ...event, sequence: position, attempts, error, diedAt: new Date(deadAt) };
    });
    const next_cursor = dead.length > limit ? (entries.at(-1)?.position ?? null) : null;
    return { entries, next_cursor };
  }

  override async retryDead(sink: string, limit: number, sequence?: number) {
    return this.queue(sink, this.dead(sink, sequence).slice(0, limit));
  }

  override async add(events: readonly OutgoingEvent[]) {
    this.outbox.add(copyOf(events), null);
  }

  override async retryNow(sink: string, limit = Number.POSITIVE_INFINITY) {
    const left = this.outbox.deliveriesOf(sink);
    const waiting = [...left.values()]
      .filter((delivery) => !isDead(delivery) && delivery.attempts > 0 && delivery.lease === null)
      .toSorted((a, b) => a.dueAt - b.dueAt)
      .slice(0, limit);
    for (const delivery of waiting) left.set(delivery.position, { ...delivery, dueAt: this.now() });
  }

  override async markOldDead(sink: string, waitedMs: number, limit: number, error: string) {
    const left = this.outbox.deliveriesOf(sink);
    const now = this.now();
    const old = [...left.values()]
      .filter((delivery) => !isDead(delivery) && delivery.queuedAt <= now - waitedMs)
      .filter(({ lease, dueAt }) => lease === null || dueAt <= now)
      .slice(0, limit);
    for (const delivery of old) left.set(delivery.position, { ...delivery, lease: null, deadAt: now, error });
    return old.length;
  }

  override async requeue(sink: string, positions: readonly number[]) {
    const kept = [...new Set(positions)].flatMap((position) => this.outbox.events.get(position) ?? []);
    const left = this.outbox.deliveriesOf(sink);
    this.queue(
      sink,
      kept.filter(({ position }) => !isWaiting(left.get(position))),
    );
    return kept.length;
  }

  override async backlog() {
    return [...this.outbox.deliveries]
      .filter(([, left]) => left.size > 0)
      .map(([sink, left]) => backlogOf(sink, [...left.values()], (position) => this.event(position)))
      .toSorted((a, b) => (a.sink < b.sink ? -1 : 1));
  }

  /** Positions are assigned in commit order within one process, so they are sequence numbers, too. */
  override async after(sequence: number, limit: number) {
    const found: NumberedEvent[] = [];
    for (const event of this.outbox.events.values()) {
      if (found.length >= limit) break;
      if (event.position > sequence) found.push({ ...copyOf(event), sequence: event.position });
    }
    return found;
  }

  override async newest() {
    return this.outbox.newest;
  }

  override async prune(before: Date, limit: number, sinks: readonly string[]) {
    const oldest = [...this.outbox.events.values()].slice(0, limit);
    const waits = ({ position }: StoredEvent) =>
      sinks.some((sink) => isWaiting(this.outbox.deliveriesOf(sink).get(position)));
    const old = oldest.filter((event) => event.occurredAt < before && !waits(event));
    for (const { position } of old) this.outbox.delete(position);
    return old.length;
  }

  /** In the order of their events, whose positions are their sequence numbers. */
  private dead(sink: string, sequence: number | undefined): readonly DeadDelivery[] {
    return [...this.outbox.deliveriesOf(sink).values()]
      .filter(isDead)
      .filter(({ position }) => sequence === undefined || position === sequence);
  }

  private queue(sink: string, wanted: readonly Pick<Delivery, 'position' | 'subject'>[]) {
    for (const { position, subject } of wanted) this.outbox.queue(sink, position, subject);
    return wanted.length;
  }

  private change(
    sink: string,
    { position, lease }: QueuedEvent,
    to: (delivery: Delivery) => Partial<Delivery>,
  ) {
    const left = this.outbox.deliveriesOf(sink);
    const delivery = left.get(position);
    if (delivery === undefined || delivery.lease !== lease) return;
    left.set(position, { ...delivery, lease: null, ...to(delivery) });
  }

  /** Exists for every delivery: both are removed together. */
  private event(position: number): StoredEvent {
    return this.outbox.events.get(position) as StoredEvent;
  }

  private now() {
    return this.clock.now().getTime();
  }
}

type DeadDelivery = Delivery & { readonly deadAt: number };

function isDead(delivery: Delivery): delivery is DeadDelivery {
  return delivery.deadAt !== null;
}

function isWaiting(delivery: Delivery | undefined) {
  return delivery !== undefined && !isDead(delivery);
}

function backlogOf(
  sink: string,
  left: readonly Delivery[],
  eventAt: (position: number) => StoredEvent,
): SinkBacklog {
  const waiting = left.filter(isWaiting);
  const [first] = waiting;
  return {
    sink,
    waiting: waiting.length,
    retrying: waiting.filter(({ attempts }) => attempts > 0).length,
    dead: left.length - waiting.length,
    waitingSince: first === undefined ? null : new Date(eventAt(first.position).occurredAt),
    error: first?.error ?? null,
  };
}
