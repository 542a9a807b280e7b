import type { Clock } from '../../../contracts/src/clock.js';
import type { OutgoingEvent, StoredEvent } from '../../../contracts/src/outbox.js';

export interface Delivery {
  readonly position: number;
  readonly subject: string;
  readonly attempts: number;
  /** Milliseconds since the epoch. */
  readonly queuedAt: number;
  /** It may be claimed from then on. */
  readonly dueAt: number;
  readonly lease: string | null;
  readonly dead: boolean;
  readonly error: string | null;
}

/** The events, and for each sink what is left to deliver; all by position, and in its order. */
export class OutboxTables {
  readonly events = new Map<number, StoredEvent>();
  readonly deliveries = new Map<string, Map<number, Delivery>>();
  private lastPosition = 0;

  constructor(private readonly clock: Clock) {}

  get newest(): number {
    return this.lastPosition;
  }

  /** Takes events that are already copies of ours; they are due at once. */
  add(outgoing: readonly OutgoingEvent[], auditId: number | null): void {
    for (const { sinks, ...event } of outgoing) {
      const position = ++this.lastPosition;
      this.events.set(position, { ...event, position, auditId });
      for (const sink of sinks) this.of(sink).set(position, this.fresh(position, event.subject));
    }
  }

  /** As if it had never been told, to anybody. */
  forget(position: number): void {
    this.events.delete(position);
    for (const left of this.deliveries.values()) left.delete(position);
  }

  of(sink: string): Map<number, Delivery> {
    const known = this.deliveries.get(sink);
    if (known !== undefined) return known;
    const made = new Map<number, Delivery>();
    this.deliveries.set(sink, made);
    return made;
  }

  /** What was there keeps its place in the order of positions; what is put back takes it again. */
  queue(sink: string, position: number, subject: string): void {
    const left = [...this.of(sink).values(), this.fresh(position, subject)];
    const ordered = left.toSorted((a, b) => a.position - b.position);
    this.deliveries.set(sink, new Map(ordered.map((delivery) => [delivery.position, delivery])));
  }

  private fresh(position: number, subject: string): Delivery {
    const queuedAt = this.clock.now().getTime();
    return {
      position,
      subject,
      attempts: 0,
      queuedAt,
      dueAt: Number.NEGATIVE_INFINITY,
      lease: null,
      dead: false,
      error: null,
    };
  }
}
