import type { RemovedRange } from '../retention/parts/remove-evidence.js';
import { ask, type RunWork } from '../retention/run-work.js';
import type { Month } from './months.js';

/** What one writer wrote in one hour, of the rows that are there. */
export interface WriterHour {
  readonly writer: string;
  readonly hour: string;
  readonly rows: string;
  readonly first: string;
  readonly last: string;
  /** The highest id. */
  readonly tail: string;
}

interface Written {
  rows: number;
  first: number;
  last: number;
  tail: number;
}

interface SealedRow {
  readonly writer: string;
  readonly sequence: string;
  readonly seal: Buffer;
}

/** Rows of each writer without a gap in between, so that one that was there before stays to be seen. */
export async function rangesOfMonth(
  work: RunWork,
  month: Month,
  hours: readonly WriterHour[],
): Promise<readonly RemovedRange[]> {
  const written = byWriter(hours);
  const tails = await tailsOf(work, written);
  const ranges: RemovedRange[] = [];
  for (const [writer, { rows, first, last }] of written) {
    const tail = tails.get(writer);
    const whole = last - first + 1 === rows && Number(tail?.sequence) === last;
    if (whole && tail !== undefined) ranges.push({ writer, first, last, seal: tail.seal });
    else ranges.push(...(await islandsOf(work, month, writer)));
  }
  return ranges;
}

function byWriter(hours: readonly WriterHour[]): ReadonlyMap<string, Written> {
  const written = new Map<string, Written>();
  for (const { writer, rows, first, last, tail } of hours) {
    const known = written.get(writer) ?? { rows: 0, first: Number(first), last: 0, tail: 0 };
    written.set(writer, {
      rows: known.rows + Number(rows),
      first: Math.min(known.first, Number(first)),
      last: Math.max(known.last, Number(last)),
      tail: Math.max(known.tail, Number(tail)),
    });
  }
  return written;
}

async function tailsOf(
  work: RunWork,
  written: ReadonlyMap<string, Written>,
): Promise<ReadonlyMap<string, SealedRow>> {
  const ids = [...written.values()].map(({ tail }) => tail);
  const rows = await ask<SealedRow>(
    work,
    (parameters) => `select writer, sequence, seal from ${work.tables.evidence}
      where id = any(${parameters.add(ids)}::bigint[])`,
  );
  return new Map(rows.map((row) => [row.writer, row]));
}

async function islandsOf(work: RunWork, month: Month, writer: string): Promise<readonly RemovedRange[]> {
  const rows = await ask<{ first: string; last: string; seal: Buffer }>(
    work,
    (parameters) => `
      select min(sequence) as first, max(sequence) as last,
        (array_agg(seal order by sequence desc))[1] as seal
      from (select sequence, seal, sequence - dense_rank() over (order by sequence) as island
        from ${work.tables.evidence}
        where id between ${parameters.add(month.firstId)} and ${parameters.add(month.lastId)}
          and writer = ${parameters.add(writer)}) found
      group by island order by first`,
  );
  return rows.map(({ first, last, seal }) => ({ writer, first: Number(first), last: Number(last), seal }));
}
