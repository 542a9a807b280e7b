import { OutputStore, type OutputCount, type OutputDay, type OutputWindow } from '#contracts/output.js';
import { isWithin } from './list-filters.js';
import type { CountedOutput, MemoryTables } from './memory-tables.js';

export class MemoryOutputStore extends OutputStore {
  constructor(private readonly tables: MemoryTables) {
    super();
  }

  override async stats(window: OutputWindow): Promise<readonly OutputCount[]> {
    const sums = new Map<string, OutputCount>();
    for (const { kind, detector, enforced, count } of this.counted(window)) {
      const key = JSON.stringify([kind, detector, enforced]);
      sums.set(key, { kind, detector, enforced, count: (sums.get(key)?.count ?? 0) + count });
    }
    return [...sums.values()];
  }

  override async daily(window: OutputWindow): Promise<readonly OutputDay[]> {
    const days = new Map<string, Omit<OutputDay, 'outputs'> & { readonly entries: Set<number> }>();
    for (const { occurredAt, evidenceId, kind, detector: found, count } of this.counted(window)) {
      const date = occurredAt.toISOString().slice(0, 10);
      for (const detector of [null, found]) {
        const key = JSON.stringify([date, kind, detector]);
        const { findings = 0, entries = new Set<number>() } = days.get(key) ?? {};
        entries.add(evidenceId);
        days.set(key, { date, kind, detector, findings: findings + count, entries });
      }
    }
    return [...days.values()].map(({ entries, ...day }) => ({ ...day, outputs: entries.size }));
  }

  private counted({ application, ...window }: OutputWindow): readonly CountedOutput[] {
    return this.tables.outputCounts.filter(
      (counted) =>
        isWithin(window, counted.occurredAt) &&
        (application === undefined || counted.application === application),
    );
  }
}
