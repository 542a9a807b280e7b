import type { Clock } from '#contracts/common/clock.js';
import {
  MAX_HASHES,
  MAX_PARENTS,
  RUN_LABELS,
  RunStore,
  type RunName,
  type RunReading,
} from '#contracts/runs/run.store.js';
import { copyOf, keyOf, type MemoryTables, type RunRow } from './memory-tables.js';

const HASH_LENGTH = 16;

export class MemoryRunStore extends RunStore {
  constructor(
    private readonly tables: MemoryTables,
    private readonly clock: Clock,
  ) {
    super();
  }

  override async read(
    run: RunName,
    { parentRunId, label, entryId, salt, hours }: RunReading,
  ): Promise<string> {
    const { runs } = this.tables;
    const parent = parentRunId === null ? null : keyOf({ ...run, runId: parentRunId });
    const row = runs.get(keyOf(run)) ?? {
      ...copyOf(run),
      parent,
      salt: runs.get(parent ?? '')?.salt ?? salt,
      hashes: '',
      isFull: false,
      label: 'clean',
      untrustedBy: null,
      suspectBy: null,
      expiresAt: 0,
    };
    const rank = RUN_LABELS.indexOf(label);
    runs.set(keyOf(run), {
      ...row,
      label: rank > RUN_LABELS.indexOf(row.label) ? label : row.label,
      untrustedBy: row.untrustedBy ?? (rank >= 1 ? entryId : null),
      suspectBy: row.suspectBy ?? (rank >= 2 ? entryId : null),
      expiresAt: Math.max(row.expiresAt, this.clock.now().getTime() + hours * 3_600_000),
    });
    return row.salt;
  }

  override async vouch(run: RunName, salt: string, hashes: string): Promise<void> {
    const row = this.tables.runs.get(keyOf(run));
    if (row?.salt !== salt) return;
    const fits = row.hashes.length + hashes.length <= MAX_HASHES * HASH_LENGTH;
    this.tables.runs.set(
      keyOf(run),
      fits ? { ...row, hashes: row.hashes + hashes } : { ...row, isFull: true },
    );
  }

  override async find(run: RunName) {
    const own = this.tables.runs.get(keyOf(run));
    if (own === undefined) return null;
    const line = [own];
    for (let depth = 0; depth < MAX_PARENTS; depth++) {
      const parent = this.tables.runs.get(line.at(-1)?.parent ?? '');
      if (parent === undefined) break;
      line.push(parent);
    }
    return {
      label: RUN_LABELS[Math.max(...line.map(({ label }) => RUN_LABELS.indexOf(label)))] ?? 'suspect',
      untrustedBy: firstOf(line.map(({ untrustedBy }) => untrustedBy)),
      suspectBy: firstOf(line.map(({ suspectBy }) => suspectBy)),
      salt: own.salt,
      hashes: line
        .filter(({ salt }) => salt === own.salt)
        .map(({ hashes }) => hashes)
        .join(''),
      isFull: line.some(({ isFull }) => isFull),
    };
  }

  override async end(run: RunName) {
    this.tables.runs.delete(keyOf(run));
  }

  override async deleteOld(limit: number) {
    const waiting = new Set(
      [...this.tables.approvals]
        .filter(({ status }) => ['pending', 'approved', 'executing'].includes(status))
        .map(({ runId }) => runId),
    );
    const old = [...this.tables.runs]
      .filter(([, { expiresAt, runId }]) => expiresAt < this.clock.now().getTime() && !waiting.has(runId))
      .slice(0, limit);
    for (const [key] of old) this.tables.runs.delete(key);
    return old.length;
  }
}

function firstOf(ids: readonly (number | null)[]): number | null {
  const known = ids.filter((id) => id !== null);
  return known.length === 0 ? null : Math.min(...known);
}

/** Deletes what the runs of a principal read. */
export function eraseRuns({ runs }: MemoryTables, isErased: (run: RunRow) => boolean): void {
  for (const [key, run] of runs) if (isErased(run)) runs.delete(key);
}
