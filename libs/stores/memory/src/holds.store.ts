import type { Clock } from '#contracts/clock.js';
import type { Hold, HoldRelease, NewHold } from '#contracts/holds.js';
import { HoldStore } from '#contracts/holds.store.js';
import type { OutgoingEvent } from '#contracts/outbox.js';
import type { Page, PageRequest } from '#contracts/page.js';
import { copyOf, type MemoryTables } from './memory-tables.js';

export class MemoryHoldStore extends HoldStore {
  constructor(
    private readonly tables: MemoryTables,
    private readonly clock: Clock,
  ) {
    super();
  }

  override async set(hold: NewHold, outgoing: (hold: Hold) => readonly OutgoingEvent[]): Promise<Hold> {
    const row = { ...copyOf(hold), setAt: this.clock.now(), releasedBy: null, releasedAt: null };
    const events = copyOf(outgoing({ ...copyOf(row), id: this.tables.holds.nextId }));
    const inserted = this.tables.holds.insert(row);
    this.tables.outbox.add(events, null);
    return copyOf(inserted);
  }

  override async release(
    id: number,
    releasedBy: string,
    outgoing: (hold: Hold) => readonly OutgoingEvent[],
  ): Promise<HoldRelease | null> {
    const hold = this.tables.holds.find(id);
    if (hold === undefined) return null;
    if (hold.releasedAt !== null) return { kind: 'already_released', hold: copyOf(hold) };
    const released = copyOf({ ...hold, releasedBy, releasedAt: this.clock.now() });
    const events = copyOf(outgoing(copyOf(released)));
    this.tables.holds.replace(released);
    this.tables.outbox.add(events, null);
    return { kind: 'released', hold: copyOf(released) };
  }

  override async list({ active }: { readonly active?: boolean }, page: PageRequest): Promise<Page<Hold>> {
    const matches = ({ releasedAt }: Hold): boolean =>
      active === undefined || active === (releasedAt === null);
    return copyOf(this.tables.holds.page(page, matches));
  }
}
