import { EVIDENCE_COLUMNS, rowHashOf } from '../audit/decision-row.js';
import type { Findings, StoredEntry } from './findings.js';

/** Rows of a writer that a retention run deleted. */
export interface RemovedRange {
  readonly first: number;
  readonly last: number;
  readonly lastRowHash: Buffer;
}

/** Deleted ranges of a writer that are wholly between two of its rows, in order. */
export type FindRemovedRanges = (
  writer: string,
  after: number,
  before: number,
) => Promise<readonly RemovedRange[]>;

/** The last sequence that a writer recorded. */
export interface WriterEnd {
  readonly writer: string;
  readonly sequence: number;
}

interface Link {
  readonly sequence: number;
  readonly rowHash: Buffer;
}

const FIRST: Link = { sequence: 0, rowHash: Buffer.alloc(0) };

/** Limits memory. A writer is a process, so far fewer append at the same time. */
const MOST_WRITERS = 100_000;

/** Follows the hash chain of each writer, in the order of ids. */
export class ChainCheck {
  /** Ordered by use, the oldest first. */
  private readonly last = new Map<string, Link>();
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
    const previous = await this.previousLink(id, writer, sequence, known);
    const values = EVIDENCE_COLUMNS.map(([name]) => entry[name]);
    const isAltered =
      previous !== null && !rowHashOf(previous.rowHash, writer, sequence, values).equals(rowHash);
    if (isAltered || day !== occurredAt.toISOString().slice(0, 10))
      this.findings.add(
        'altered',
        id,
        `Entry ${id}, or entry ${sequence - 1} of writer ${writer} before it, does not match its hash.`,
      );
    if (known === undefined && sequence === 1) this.writers += 1;
    if (known === undefined || sequence > known.sequence) this.keep(writer, { sequence, rowHash });
  }

  /** Compares the last row of each writer with what the writer recorded at its last commit. */
  async close(ends: AsyncIterable<WriterEnd>): Promise<void> {
    for await (const { writer, sequence } of ends) {
      const reached = this.last.get(writer) ?? (this.hasDropped ? null : FIRST);
      if (reached === null || sequence <= reached.sequence) continue;
      const ranges = await this.findRemovedRanges(writer, reached.sequence, sequence + 1);
      for (const [first, last] of bridge(reached, ranges, sequence + 1).missing)
        this.findings.add(
          'missing',
          null,
          `Rows ${first} to ${last} at the end of writer ${writer} are missing, and no retention run deleted them.`,
        );
    }
  }

  /** The row that the hash of this one covers; `null` if it is not known. */
  private async previousLink(
    id: number,
    writer: string,
    sequence: number,
    known: Link | undefined,
  ): Promise<Link | null> {
    const from = known ?? FIRST;
    if (sequence <= from.sequence) {
      this.findings.add('reordered', id, `Entry ${id} has a higher id than a later row of writer ${writer}.`);
      return null;
    }
    if (sequence === from.sequence + 1) return from;
    const ranges = await this.findRemovedRanges(writer, from.sequence, sequence);
    const { end, missing } = bridge(from, ranges, sequence);
    if (missing.length === 0) return end;
    if (known === undefined && this.hasDropped) {
      this.unfollowed += 1;
      return null;
    }
    for (const [first, last] of missing)
      this.findings.add(
        'missing',
        id,
        `Rows ${first} to ${last} of writer ${writer} before entry ${id} are missing, and no retention run deleted them.`,
      );
    // Directly after a recorded range the hash can still be checked.
    return end.sequence === sequence - 1 ? end : null;
  }

  private keep(writer: string, link: Link): void {
    this.last.delete(writer);
    this.last.set(writer, link);
    if (this.last.size <= MOST_WRITERS) return;
    const [oldest] = this.last.keys();
    if (oldest !== undefined) this.last.delete(oldest);
    this.hasDropped = true;
  }
}

/** Follows recorded ranges up to `sequence`, and lists the rows that no range covers. */
function bridge(
  from: Link,
  ranges: readonly RemovedRange[],
  sequence: number,
): { readonly end: Link; readonly missing: readonly (readonly [first: number, last: number])[] } {
  const missing: (readonly [number, number])[] = [];
  let end = from;
  for (const { first, last, lastRowHash } of ranges) {
    if (first > end.sequence + 1) missing.push([end.sequence + 1, first - 1]);
    end = { sequence: last, rowHash: lastRowHash };
  }
  if (end.sequence < sequence - 1) missing.push([end.sequence + 1, sequence - 1]);
  return { end, missing };
}
