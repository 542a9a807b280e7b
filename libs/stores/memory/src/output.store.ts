import { OutputStore, type OutputCount } from '#contracts/output.js';
import type { TimeWindow } from '#contracts/page.js';
import { isWithin } from './list-filters.js';
import type { MemoryTables } from './memory-tables.js';

export class MemoryOutputStore extends OutputStore {
  constructor(private readonly tables: MemoryTables) {
    super();
  }

  override async stats(window: TimeWindow): Promise<readonly OutputCount[]> {
    const sums = new Map<string, OutputCount>();
    for (const { occurredAt, kind, detector, enforced, count } of this.tables.outputCounts) {
      if (!isWithin(window, occurredAt)) continue;
      const key = JSON.stringify([kind, detector, enforced]);
      sums.set(key, { kind, detector, enforced, count: (sums.get(key)?.count ?? 0) + count });
    }
    return [...sums.values()];
  }
}
