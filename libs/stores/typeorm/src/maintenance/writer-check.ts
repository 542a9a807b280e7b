import { EVIDENCE_COLUMNS, rowHashOf } from '../database/entry-columns.js';
import type { Findings, StoredEntry } from './findings.js';

/** Rows of a writer that a retention run deleted. */
export interface RemovedRange {
  readonly first: number;
  readonly last: number;
}

/** Deleted ranges of a writer that are wholly between two of its rows, in order. */
export type FindRemovedRanges = (
  writer: string,
  after: number,
  before: number,
) => Promise<readonly RemovedRange[]>;

/** A writer that recorded more rows than there are. */
export interface ShortWriter {
  readonly writer: string;
  /** The last sequence that it recorded. */
  readonly sequence: number;
  /** The last sequence of its rows; 0 if there are none. */
  readonly reached: number;
}

/** Limits memory. */
const MAX_WRITERS = 100_000;

/** Checks the hash of each row and the numbers of each writer, by ascending id. */
export class WriterCheck {
  /** The last sequence of each writer. Ordered by use, the oldest first. */
  private readonly last = new Map<string, number>();
  private hasDropped = false;
  writers = 0;
  unfollowed = 0;

  constructor(
    private readonly findRemovedRanges: FindRemovedRanges,
    private readonly findings: Findings,
  ) {}

  async check(entry: StoredEntry): Promise<void> {
    const { id, writer, sequence, row_hash: rowHash, day, occurred_at: occurredAt } = entry;
    const known = this.last.get(writer);
    await this.checkNumber(id, writer, sequence, known);
    const values = EVIDENCE_COLUMNS.map(([name]) => entry[name]);
    const isAltered = !rowHashOf(writer, sequence, values).equals(rowHash);
    if (isAltered || day !== occurredAt.toISOString().slice(0, 10))
      this.findings.add('altered', id, `Entry ${id} does not match its hash.`);
    if (known === undefined && sequence === 1) this.writers += 1;
    if (known === undefined || sequence > known) this.keep(writer, sequence);
  }

  async close(short: readonly ShortWriter[]): Promise<void> {
    for (const { writer, sequence, reached } of short) {
      const ranges = await this.findRemovedRanges(writer, reached, sequence + 1);
      for (const [first, last] of gaps(reached, ranges, sequence + 1))
        this.findings.add(
          'missing',
          null,
          `Rows ${first} to ${last} at the end of writer ${writer} are missing, and no retention run deleted them.`,
        );
    }
  }

  private async checkNumber(id: number, writer: string, sequence: number, known: number | undefined) {
    const from = known ?? 0;
    if (sequence <= from) {
      this.findings.add('reordered', id, `Entry ${id} has a higher id than a later row of writer ${writer}.`);
      return;
    }
    if (sequence === from + 1) return;
    const missing = gaps(from, await this.findRemovedRanges(writer, from, sequence), sequence);
    if (missing.length > 0 && known === undefined && this.hasDropped) {
      this.unfollowed += 1;
      return;
    }
    for (const [first, last] of missing)
      this.findings.add(
        'missing',
        id,
        `Rows ${first} to ${last} of writer ${writer} before entry ${id} are missing, and no retention run deleted them.`,
      );
  }

  private keep(writer: string, sequence: number) {
    this.last.delete(writer);
    this.last.set(writer, sequence);
    if (this.last.size <= MAX_WRITERS) return;
    const [oldest] = this.last.keys();
    if (oldest !== undefined) this.last.delete(oldest);
    this.hasDropped = true;
  }
}

/** The rows after `from` and before `sequence` that no range covers. */
function gaps(
  from: number,
  ranges: readonly RemovedRange[],
  sequence: number,
): readonly (readonly [first: number, last: number])[] {
  const missing: (readonly [number, number])[] = [];
  let end = from;
  for (const { first, last } of ranges) {
    if (first > end + 1) missing.push([end + 1, first - 1]);
    end = last;
  }
  if (end < sequence - 1) missing.push([end + 1, sequence - 1]);
  return missing;
}
