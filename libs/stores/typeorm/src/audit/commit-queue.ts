import { setImmediate } from 'node:timers/promises';
import type { CommitFigures } from '#contracts/audit/store.js';
import { GuardrailsError } from '#contracts/common/errors.js';

/** Rows and characters that one commit takes at most. */
const MAX_ROWS = 500;
const MAX_CHARACTERS = 8_000_000;

/** Limits the memory that waiting rows take. */
const MAX_WAITING_CHARACTERS = 32 * MAX_CHARACTERS;

interface Sized {
  /** About how many characters the row has. */
  readonly size: number;
}

/** The latest durations, for the percentiles. */
const LATENCIES = 1_024;

interface Waiting<Row> {
  readonly row: Row;
  readonly since: number;
  readonly resolve: (id: number) => void;
  readonly reject: (error: unknown) => void;
}

/** Commits all rows in their order, or none, and returns their ids. */
type Commit<Row> = (rows: readonly Row[]) => Promise<readonly number[]>;

/**
 * Group commit: rows that arrive during a commit wait and are committed together by the next one. There is no timer, so
 * a single row is committed at once. Rows are committed in the order of arrival.
 */
export class CommitQueue<Row extends Sized> implements CommitFigures {
  private readonly waiting: Waiting<Row>[] = [];
  private readonly latencies = new Float64Array(LATENCIES);
  private characters = 0;
  private running: Promise<void> | null = null;
  private committing = 0;
  private committed = 0;
  batches = 0;
  lastBatch = 0;
  failed = 0;

  constructor(
    private readonly commit: Commit<Row>,
    /** Whether the rows of a failed commit may succeed in smaller batches. */
    private readonly canSplit: (error: unknown) => boolean,
    private readonly capacity = 10_000,
  ) {}

  get queued(): number {
    return this.waiting.length + this.committing;
  }

  get meanBatch(): number {
    return this.batches === 0 ? 0 : this.committed / this.batches;
  }

  get latencyMs(): CommitFigures['latencyMs'] {
    const sorted = this.latencies.slice(0, Math.min(this.committed, LATENCIES)).toSorted();
    const at = (share: number) => sorted[Math.floor(share * (sorted.length - 1))] ?? 0;
    return { p50: at(0.5), p99: at(0.99) };
  }

  append(row: Row): Promise<number> {
    if (this.queued >= this.capacity || this.characters + row.size > MAX_WAITING_CHARACTERS) {
      this.failed++;
      return Promise.reject(
        GuardrailsError.storeUnavailable(
          new Error('Too many appends are waiting for a commit. The database is too slow, or unavailable.'),
        ),
      );
    }
    return new Promise((resolve, reject) => {
      this.waiting.push({ row, since: performance.now(), resolve, reject });
      this.characters += row.size;
      this.running ??= this.run();
    });
  }

  /** Resolves when the queue is empty. */
  async drain(): Promise<void> {
    while (this.running !== null) await this.running;
  }

  private async run() {
    // Rows of the same tick go into one batch.
    await Promise.resolve();
    while (this.waiting.length > 0) {
      const batch = this.nextBatch();
      this.committing = batch.length;
      await this.settle(batch);
      this.committing = 0;
      for (const { row } of batch) this.characters -= row.size;
      // The callers of a batch continue at the same time, and their next rows form one batch. A single caller need not wait.
      if (batch.length === 1 && this.waiting.length === 0) break;
      // Lets timers of the host run, however fast the commits are.
      await setImmediate();
    }
    this.running = null;
  }

  private nextBatch(): readonly Waiting<Row>[] {
    let characters = 0;
    let length = 0;
    for (const { row } of this.waiting) {
      if (length === MAX_ROWS || (length > 0 && characters + row.size > MAX_CHARACTERS)) break;
      characters += row.size;
      length++;
    }
    return this.waiting.splice(0, length);
  }

  /** Splits a failed batch in halves, until a row that cannot be committed is alone. */
  private async settle(batch: readonly Waiting<Row>[]) {
    try {
      const ids = await this.commit(batch.map(({ row }) => row));
      this.count(batch);
      batch.forEach(({ resolve }, index) => resolve(ids[index] ?? Number.NaN));
    } catch (error) {
      if (batch.length > 1 && this.canSplit(error)) {
        const half = batch.length >> 1;
        await this.settle(batch.slice(0, half));
        await this.settle(batch.slice(half));
        return;
      }
      this.failed += batch.length;
      for (const { reject } of batch) reject(error);
    }
  }

  private count(batch: readonly Waiting<Row>[]) {
    const now = performance.now();
    this.batches++;
    this.lastBatch = batch.length;
    for (const { since } of batch) this.latencies[this.committed++ % LATENCIES] = now - since;
  }
}
