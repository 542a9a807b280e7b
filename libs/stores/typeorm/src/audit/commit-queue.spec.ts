import { describe, expect, it } from '@jest/globals';
import { CommitQueue } from './commit-queue.js';

interface Row {
  readonly name: number;
  readonly size: number;
}

const row = (name: number, size = 1): Row => ({ name, size });

/** Assigns ids in the order of the rows, and refuses rows below zero. */
class Table {
  readonly batches: number[][] = [];
  readonly kept: number[] = [];
  fault: Error | null = null;
  private release: () => void = () => undefined;
  private opened: Promise<void> | null = null;

  hold(): () => void {
    this.opened = new Promise((resolve) => (this.release = resolve));
    return () => {
      this.opened = null;
      this.release();
    };
  }

  async commit(rows: readonly Row[]): Promise<readonly number[]> {
    this.batches.push(rows.map(({ name }) => name));
    await this.opened;
    if (this.fault !== null) throw this.fault;
    if (rows.some(({ name }) => name < 0)) throw new Error('the row is refused');
    return rows.map(({ name }) => this.kept.push(name));
  }
}

const AWAY = new Error('unavailable');

function queued(capacity?: number): { readonly table: Table; readonly queue: CommitQueue<Row> } {
  const table = new Table();
  const canSplit = (error: unknown): boolean => error !== AWAY;
  return { table, queue: new CommitQueue((rows) => table.commit(rows), canSplit, capacity) };
}

const upTo = (last: number): number[] => Array.from({ length: last }, (_, index) => index + 1);

describe('the commit queue', () => {
  it('commits a single row at once', async () => {
    const { table, queue } = queued();
    expect(await queue.append(row(7))).toBe(1);
    expect(table.batches).toEqual([[7]]);
  });

  it('collects rows during a commit and returns an id to each caller, in order', async () => {
    const { table, queue } = queued();
    const open = table.hold();
    const first = queue.append(row(1));
    await Promise.resolve();
    const others = upTo(40).map((name) => queue.append(row(name + 1)));
    open();
    expect(await Promise.all([first, ...others])).toEqual(upTo(41));
    expect(table.batches).toEqual([[1], upTo(40).map((name) => name + 1)]);
    expect([queue.batches, queue.lastBatch, queue.meanBatch, queue.queued]).toEqual([2, 40, 20.5, 0]);
  });

  it('limits a commit to five hundred rows and eight million characters', async () => {
    const { table, queue } = queued();
    await Promise.all(upTo(1_200).map((name) => queue.append(row(name))));
    expect(table.batches.map((batch) => batch.length)).toEqual([500, 500, 200]);
    await Promise.all(
      [row(1, 5_000_000), row(2, 5_000_000), row(3, 9_000_000)].map((one) => queue.append(one)),
    );
    expect(table.batches.slice(3)).toEqual([[1], [2], [3]]);
  });

  it('rejects only the refused rows of a batch', async () => {
    const { table, queue } = queued();
    const names = upTo(100).map((name) => (name % 33 === 0 ? -name : name));
    const settled = await Promise.allSettled(names.map((name) => queue.append(row(name))));
    const failed = settled.flatMap(({ status }, index) => (status === 'rejected' ? [names[index]] : []));
    expect(failed).toEqual([-33, -66, -99]);
    expect(table.kept).toEqual(names.filter((name) => name > 0));
    expect(queue.failed).toBe(3);
  });

  it('does not retry while the store is unavailable, and rejects every append', async () => {
    const { table, queue } = queued();
    table.fault = AWAY;
    const settled = await Promise.allSettled(upTo(10).map((name) => queue.append(row(name))));
    expect(settled.every((one) => one.status === 'rejected' && one.reason === AWAY)).toBe(true);
    expect([table.batches.length, queue.failed]).toEqual([1, 10]);
    table.fault = null;
    expect(await queue.append(row(11))).toBe(1);
  });

  it('refuses rows beyond its capacity, counted in rows or in characters', async () => {
    const { table, queue } = queued(3);
    const open = table.hold();
    const accepted = upTo(3).map((name) => queue.append(row(name)));
    await expect(queue.append(row(4))).rejects.toMatchObject({ code: 'store_unavailable' });
    open();
    await Promise.all(accepted);
    await expect(queue.append(row(5, 300_000_000))).rejects.toMatchObject({ code: 'store_unavailable' });
    expect(await queue.append(row(6))).toBe(4);
  });

  it('is drained when every append has resolved', async () => {
    const { queue } = queued();
    const answered: number[] = [];
    for (const name of upTo(700)) void queue.append(row(name)).then((id) => answered.push(id));
    await queue.drain();
    expect(answered).toEqual(upTo(700));
    await queue.drain();
  });

  it('lets timers run between two commits', async () => {
    const { queue } = queued();
    const timer = AbortSignal.timeout(1);
    while (!timer.aborted) await queue.append(row(1));
    expect(queue.batches).toBeGreaterThan(0);
  });

  it('measures how long appends wait', async () => {
    const { table, queue } = queued();
    expect(queue.latencyMs).toEqual({ p50: 0, p99: 0 });
    const open = table.hold();
    const waiting = queue.append(row(1));
    setTimeout(open, 20);
    await waiting;
    expect(queue.latencyMs.p50).toBeGreaterThanOrEqual(18);
  });
});
