import { changed, type RunWork } from '../run-work.js';
import type { ChunkRow } from './evidence-chunk.js';
import { noteHour } from './note-hour.js';

/** Rows of one writer, without a gap in between, and the seal of the last one. */
export interface RemovedRange {
  readonly writer: string;
  readonly first: number;
  readonly last: number;
  readonly seal: Buffer;
}

type GrowingRange = { -readonly [Field in keyof RemovedRange]: RemovedRange[Field] };

/** Deletes evidence and what hangs on it, and leaves what is needed to tell that from tampering. */
export async function removeEvidence(work: RunWork, rows: readonly ChunkRow[]): Promise<number> {
  if (rows.length === 0) return 0;
  await recordGaps(work, rangesOf(rows));
  await recordHours(work, rows);
  const ids = rows.map(({ id }) => id);
  const { content, rejections, outputCounts, evidence } = work.tables;
  for (const table of [content, rejections, outputCounts]) {
    await changed(
      work,
      (parameters) =>
        `delete from ${table} where evidence_id = any(${parameters.add(ids)}::bigint[])${sameTimes(work, table, ids, parameters)}`,
    );
  }
  return changed(
    work,
    (parameters) => `delete from ${evidence} where id = any(${parameters.add(ids)}::bigint[])`,
  );
}

/** Output counts are found by the time of their evidence, which is theirs too: no index of ids is kept for them. */
function sameTimes(
  { tables }: RunWork,
  table: string,
  ids: readonly string[],
  parameters: { add(value: readonly unknown[]): string },
): string {
  if (table !== tables.outputCounts) return '';
  return ` and occurred_at in (select occurred_at from ${tables.evidence} where id = any(${parameters.add(ids)}::bigint[]))`;
}

function rangesOf(rows: readonly ChunkRow[]): readonly RemovedRange[] {
  const ranges: RemovedRange[] = [];
  const latest = new Map<string, GrowingRange>();
  const ordered = rows.toSorted((one, other) => Number(one.sequence) - Number(other.sequence));
  for (const { writer, sequence, seal } of ordered) {
    const range = latest.get(writer);
    if (range !== undefined && range.last + 1 === Number(sequence)) {
      range.last += 1;
      range.seal = seal;
      continue;
    }
    const begun = { writer, first: Number(sequence), last: Number(sequence), seal };
    latest.set(writer, begun);
    ranges.push(begun);
  }
  return ranges;
}

/** A gap grows where it ends; only one run at a time makes any. */
export async function recordGaps(work: RunWork, ranges: readonly RemovedRange[]): Promise<void> {
  const { retentionGaps: gaps } = work.tables;
  for (const { writer, first, last, seal } of ranges) {
    const extended = await changed(
      work,
      (parameters) => `update ${gaps} set last_sequence = ${parameters.add(last)},
          last_seal = ${parameters.add(seal)}, run_id = ${parameters.add(work.runId)}
        where writer = ${parameters.add(writer)} and last_sequence = ${parameters.add(first - 1)}`,
    );
    if (extended > 0) continue;
    await changed(
      work,
      (parameters) => `insert into ${gaps} (writer, first_sequence, last_sequence, last_seal, run_id)
        values (${[writer, first, last, seal, work.runId].map((value) => parameters.add(value)).join(', ')})`,
    );
  }
}

async function recordHours(work: RunWork, rows: readonly ChunkRow[]): Promise<void> {
  const removed = new Map<string, number>();
  for (const { hour } of rows) removed.set(hour, (removed.get(hour) ?? 0) + 1);
  for (const [hour, count] of removed) {
    await noteHour(work, hour, (parameters) => `removed = removed + ${parameters.add(count)}`);
  }
}
