import { setImmediate } from 'node:timers/promises';
import type { CommitFigures } from '../../../../contracts/src/audit.js';
import { GuardrailsError } from '../../../../contracts/src/errors.js';
import { LatencyFigures } from './latency-figures.js';

/** Rows that one commit takes at most, and about how many characters. */
const MOST_ROWS = 500;
const MOST_WEIGHT = 8_000_000;

/** Characters that wait at most: two hundred times what one commit takes would be memory that nobody planned for. */
const WEIGHT_CAPACITY = 32 * MOST_WEIGHT;

interface Weighed {
  readonly weight: number;
}

interface Waiting<Row> {
  readonly row: Row;
  readonly since: number;
  readonly answer: (id: number) => void;
  readonly fail: (error: unknown) => void;
}

/** Commits rows in their order, all or none of them, and answers their ids. */
export type Commit<Row> = (rows: readonly Row[]) => Promise<readonly number[]>;

/**
 * What comes while a commit is under way waits for the next one, and goes into it together: no timer, and nothing waits
 * when nothing is under way. Rows are committed in the order in which they came.
 */
export class CommitQueue<Row extends Weighed> implements CommitFigures {
  private readonly waiting: Waiting<Row>[] = [];
  private readonly latency = new LatencyFigures();
  private weight = 0;
  private running: Promise<void> | null = null;
  private committing = 0;
  private committed = 0;
  batches = 0;
  lastBatch = 0;
  failed = 0;

  constructor(
    private readonly commit: Commit<Row>,
    /** Whether rows of a failed commit may succeed without one another. */
    private readonly isRowsFault: (error: unknown) => boolean,
    private readonly capacity = 10_000,
  ) {}

  get queued(): number {
    return this.waiting.length + this.committing;
  }

  get meanBatch(): number {
    return this.batches === 0 ? 0 : this.committed / this.batches;
  }

  get latencyMs(): CommitFigures['latencyMs'] {
    return this.latency.read();
  }

  append(row: Row): Promise<number> {
    if (this.queued >= this.capacity || this.weight + row.weight > WEIGHT_CAPACITY) {
      this.failed++;
      return Promise.reject(
        GuardrailsError.storeUnavailable(new Error('too many appends wait for a commit')),
      );
    }
    return new Promise((answer, fail) => {
      this.waiting.push({ row, since: performance.now(), answer, fail });
      this.weight += row.weight;
      this.running ??= this.run();
    });
  }

  /** Resolves when nothing waits any more. */
  async drain(): Promise<void> {
    while (this.running !== null) await this.running;
  }

  private async run(): Promise<void> {
    // Whoever appends in the same breath belongs together.
    await Promise.resolve();
    while (this.waiting.length > 0) {
      const batch = this.nextBatch();
      this.committing = batch.length;
      await this.settle(batch);
      this.committing = 0;
      for (const { row } of batch) this.weight -= row.weight;
      // However fast the commits are, the timers of the host get their turn in between.
      await setImmediate();
    }
    this.running = null;
  }

  private nextBatch(): readonly Waiting<Row>[] {
    let weight = 0;
    let length = 0;
    for (const { row } of this.waiting) {
      if (length === MOST_ROWS || (length > 0 && weight + row.weight > MOST_WEIGHT)) break;
      weight += row.weight;
      length++;
    }
    return this.waiting.splice(0, length);
  }

  /** A row that no table takes fails alone: the batch is halved until it is found. */
  private async settle(batch: readonly Waiting<Row>[]): Promise<void> {
    try {
      const ids = await this.commit(batch.map(({ row }) => row));
      this.count(batch);
      batch.forEach(({ answer }, index) => answer(ids[index] ?? Number.NaN));
    } catch (error) {
      if (batch.length > 1 && this.isRowsFault(error)) {
        const half = batch.length >> 1;
        await this.settle(batch.slice(0, half));
        await this.settle(batch.slice(half));
        return;
      }
      this.failed += batch.length;
      for (const { fail } of batch) fail(error);
    }
  }

  private count(batch: readonly Waiting<Row>[]): void {
    const now = performance.now();
    this.batches++;
    this.lastBatch = batch.length;
    this.committed += batch.length;
    for (const { since } of batch) this.latency.add(now - since);
  }
}
