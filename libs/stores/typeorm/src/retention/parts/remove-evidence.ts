import { ask, counting, countOf, type RunWork } from '../run-work.js';
import type { ChunkRow } from './evidence-chunk.js';

/** Rows of one writer, without a gap in between. */
interface Range {
  readonly writer: string;
  readonly first: number;
  last: number;
  seal: Buffer;
}

/** Deletes evidence and what hangs on it, and leaves what is needed to tell that from tampering. */
export async function removeEvidence(work: RunWork, rows: readonly ChunkRow[]): Promise<number> {
  if (rows.length === 0) return 0;
  await recordGaps(work, rangesOf(rows));
  await recordHours(work, rows);
  const ids = rows.map(({ id }) => id);
  const { content, rejections, outputCounts, evidence } = work.tables;
  for (const table of [content, rejections, outputCounts]) {
    await ask(work, (parameters) =>
      counting(
        `delete from ${table} where evidence_id = any(${parameters.add(ids)}::bigint[])${sameTimes(work, table, ids, parameters)}`,
      ),
    );
  }
  return countOf(work, (parameters) =>
    counting(`delete from ${evidence} where id = any(${parameters.add(ids)}::bigint[])`),
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

function rangesOf(rows: readonly ChunkRow[]): readonly Range[] {
  const ranges: Range[] = [];
  const latest = new Map<string, Range>();
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

async function recordGaps(work: RunWork, ranges: readonly Range[]): Promise<void> {
  const { retentionGaps: gaps } = work.tables;
  await ask(work, (parameters) => {
    const given = parameters.lists([
      ['uuid', ranges.map(({ writer }) => writer)],
      ['bigint', ranges.map(({ first }) => first)],
      ['bigint', ranges.map(({ last }) => last)],
      ['bytea', ranges.map(({ seal }) => seal)],
    ]);
    const runId = parameters.add(work.runId);
    return `with given as (select * from unnest(${given}) as given (writer, first, last, seal)),
      extended as (
        update ${gaps} gap set last_sequence = given.last, last_seal = given.seal, run_id = ${runId}
        from given where gap.writer = given.writer and gap.last_sequence = given.first - 1
        returning gap.writer, given.first),
      added as (
        insert into ${gaps} (writer, first_sequence, last_sequence, last_seal, run_id)
        select writer, first, last, seal, ${runId} from given
        where (writer, first) not in (select writer, first from extended) returning 1)
      select count(*) from added`;
  });
}

async function recordHours(work: RunWork, rows: readonly ChunkRow[]): Promise<void> {
  const removed = new Map<string, number>();
  for (const { hour } of rows) removed.set(hour, (removed.get(hour) ?? 0) + 1);
  const hours = [...removed].toSorted(([one], [other]) => (one < other ? -1 : 1));
  await ask(work, (parameters) => {
    const given = parameters.lists([
      ['text', hours.map(([hour]) => hour)],
      ['bigint', hours.map(([, count]) => count)],
    ]);
    return `with noted as (
        insert into ${work.tables.retentionHours} as held (hour, removed)
        select * from unnest(${given})
        on conflict (hour) do update set removed = held.removed + excluded.removed returning 1)
      select count(*) from noted`;
  });
}
