import { sealOf } from '../../audit/seal.js';
import type { StoredEntry } from './stored-entry.js';
import type { Findings } from './verification.js';

/** A range of rows that a retention run removed. */
export interface Gap {
  readonly first: number;
  readonly last: number;
  readonly lastSeal: Buffer;
}

/** Gaps of a writer that lie wholly between two of its rows, in their order. */
export type FindGaps = (writer: string, after: number, before: number) => Promise<readonly Gap[]>;

/** Where a writer stands after its last commit. */
export interface WriterEnd {
  readonly writer: string;
  readonly sequence: number;
}

interface Link {
  readonly sequence: number;
  readonly seal: Buffer;
}

const FIRST: Link = { sequence: 0, seal: Buffer.alloc(0) };

/** Writers are processes: many more than these are never at work in the same while. */
const MOST_WRITERS = 100_000;

/** Follows each writer from row to row, in the order of ids. */
export class ChainCheck {
  /** Whoever was heard of last stands last. */
  private readonly last = new Map<string, Link>();
  private forgotten = false;
  writers = 0;
  unfollowed = 0;

  constructor(
    private readonly findGaps: FindGaps,
    private readonly findings: Findings,
  ) {}

  async check({ id, sealed, seal, day }: StoredEntry): Promise<void> {
    const { writer, sequence } = sealed;
    const known = this.last.get(writer);
    const before = await this.linkBefore(id, writer, sequence, known);
    const altered = before !== null && !sealOf(before.seal, sealed).equals(seal);
    if (altered || day !== sealed.occurredAt.slice(0, 10))
      this.findings.add(
        'altered',
        id,
        `Entry ${id} is not what was sealed, or entry ${sequence - 1} of writer ${writer} before it is not.`,
      );
    if (known === undefined && sequence === 1) this.writers += 1;
    if (known === undefined || sequence > known.sequence) this.remember(writer, { sequence, seal });
  }

  /** What the seal of a row stands on; `null` where that cannot be said. */
  private async linkBefore(
    id: number,
    writer: string,
    sequence: number,
    known: Link | undefined,
  ): Promise<Link | null> {
    const from = known ?? FIRST;
    if (sequence <= from.sequence) {
      this.findings.add('reordered', id, `Entry ${id} has a higher id than a later one of writer ${writer}.`);
      return null;
    }
    if (sequence === from.sequence + 1) return from;
    const gaps = await this.findGaps(writer, from.sequence, sequence);
    const { end, holes } = bridged(from, gaps, sequence);
    if (holes.length === 0) return end;
    if (known === undefined && this.forgotten) {
      this.unfollowed += 1;
      return null;
    }
    for (const [first, last] of holes)
      this.findings.add(
        'missing',
        id,
        `Before entry ${id}, rows ${first} to ${last} of writer ${writer} are gone, and no retention run removed them.`,
      );
    // Right behind a gap that is on record, the seal still tells.
    return end.sequence === sequence - 1 ? end : null;
  }

  /** How far a writer came, as it noted itself with each of its commits. */
  async close(noted: AsyncIterable<WriterEnd>): Promise<void> {
    for await (const { writer, sequence } of noted) {
      const reached = this.last.get(writer) ?? (this.forgotten ? null : FIRST);
      if (reached === null || sequence <= reached.sequence) continue;
      const { holes } = bridged(
        reached,
        await this.findGaps(writer, reached.sequence, sequence + 1),
        sequence + 1,
      );
      for (const [first, last] of holes)
        this.findings.add(
          'missing',
          null,
          `The end of writer ${writer}, rows ${first} to ${last}, is gone, and no retention run removed it.`,
        );
    }
  }

  private remember(writer: string, link: Link): void {
    this.last.delete(writer);
    this.last.set(writer, link);
    if (this.last.size <= MOST_WRITERS) return;
    const [oldest] = this.last.keys();
    if (oldest !== undefined) this.last.delete(oldest);
    this.forgotten = true;
  }
}

function bridged(
  from: Link,
  gaps: readonly Gap[],
  sequence: number,
): { readonly end: Link; readonly holes: readonly (readonly [first: number, last: number])[] } {
  const holes: (readonly [number, number])[] = [];
  let end = from;
  for (const { first, last, lastSeal } of gaps) {
    if (first > end.sequence + 1) holes.push([end.sequence + 1, first - 1]);
    end = { sequence: last, seal: lastSeal };
  }
  if (end.sequence < sequence - 1) holes.push([end.sequence + 1, sequence - 1]);
  return { end, holes };
}
