import type { Clock } from '../../../contracts/src/clock.js';
import { OutboxStore, type QueuedEvent } from '../../../contracts/src/events.js';
import { copyOf } from './copy.js';
import type { MemoryTables } from './memory-tables.js';

export class MemoryOutboxStore extends OutboxStore {
  constructor(
    private readonly tables: MemoryTables,
    private readonly clock: Clock,
  ) {
    super();
  }

  override async claim(limit: number, leaseMs: number): Promise<readonly QueuedEvent[]> {
    const now = this.clock.now().getTime();
    const claimed: QueuedEvent[] = [];
    const subjects = new Set<string>();
    for (const [position, { event, dueAt }] of this.tables.outbox) {
      if (claimed.length >= limit) break;
      if (subjects.has(event.subject)) continue;
      subjects.add(event.subject);
      if (dueAt > now) continue;
      this.tables.outbox.set(position, { event, dueAt: now + leaseMs });
      claimed.push(copyOf(event));
    }
    return claimed;
  }

  override async delivered(position: number): Promise<void> {
    this.tables.outbox.delete(position);
  }

  /** The error is not kept: nobody could read it here. */
  override async retry(position: number, delayMs: number): Promise<void> {
    const waiting = this.tables.outbox.get(position);
    if (waiting === undefined) return;
    const event = { ...waiting.event, attempts: waiting.event.attempts + 1 };
    this.tables.outbox.set(position, { event, dueAt: this.clock.now().getTime() + delayMs });
  }
}
