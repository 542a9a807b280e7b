import { timeText, type Parameters } from '../../parameters.js';
import { hourText } from '../../time-parts.js';
import { ask, type RunWork } from '../run-work.js';
import { principalIs } from '../../audit/principal-condition.js';
import { noteHour } from './note-hour.js';

export interface EvidenceChunk {
  readonly rows: readonly ChunkRow[];
  readonly cursor: unknown;
}

export interface ChunkRow {
  readonly id: string;
  readonly writer: string;
  readonly sequence: string;
  readonly seal: Buffer;
  readonly hour: string;
}

/** An hour that is being gone through, or the last one that is done with. */
type HourCursor = { readonly hour: string; readonly id: number } | { readonly done: string };

interface HourToDo {
  readonly hour: string;
  readonly first: string;
  readonly last: string;
}

const HOUR_MS = 3_600_000;

const COLUMNS = 'id, writer, sequence, seal, occurred_at';

/** The next rows of evidence in the scope of a run, by id. */
export async function nextChunk(work: RunWork, cursor: unknown, limit: number): Promise<EvidenceChunk> {
  const { scope } = work;
  switch (scope.kind) {
    case 'entry': {
      const rows = await select(work, limit, (parameters) => `id = ${parameters.add(scope.id)}`);
      return { rows, cursor: null };
    }
    case 'principal': {
      const rows = await select(
        work,
        limit,
        (parameters) =>
          `${principalIs('principal_ref', scope.principalId, work.tables, parameters)} and id > ${parameters.add(Number(cursor ?? 0))}`,
      );
      return { rows, cursor: rows.length < limit ? null : Number(rows.at(-1)?.id) };
    }
    case 'before':
      return chunkOfHours(work, scope.before, cursor as HourCursor | null, limit);
  }
  return scope satisfies never;
}

/** So many hours at once where little happened in them: a step stays a matter of moments. */
const MOST_HOURS = 100;

async function chunkOfHours(
  work: RunWork,
  before: Date,
  from: HourCursor | null,
  limit: number,
): Promise<EvidenceChunk> {
  const rows: ChunkRow[] = [];
  let cursor = from;
  for (let hours = 0; hours < MOST_HOURS && rows.length < limit; hours++) {
    const chunk = await chunkOfHour(work, before, cursor, limit - rows.length);
    rows.push(...chunk.rows);
    cursor = chunk.cursor;
    if (cursor === null) break;
  }
  return { rows, cursor };
}

/**
 * Hour by hour, because the ids of an hour are known and its own index would cost every append. An hour that a run
 * has gone through is not looked at again, unless something was added to it.
 */
async function chunkOfHour(
  work: RunWork,
  before: Date,
  cursor: HourCursor | null,
  limit: number,
): Promise<EvidenceChunk & { readonly cursor: HourCursor | null }> {
  const going = cursor !== null && 'hour' in cursor ? cursor : null;
  const todo = await hourToDo(work, before, cursor);
  if (todo === null) return { rows: [], cursor: null };
  const start = new Date(`${todo.hour}:00:00.000Z`).getTime();
  const end = Math.min(start + HOUR_MS, before.getTime());
  const after = going?.hour === todo.hour ? going.id : Number(todo.first) - 1;
  const rows = await select(
    work,
    limit,
    (parameters) => `id > ${parameters.add(after)} and id <= ${parameters.add(todo.last)}
      and occurred_at >= ${parameters.time(new Date(start))} and occurred_at < ${parameters.time(new Date(end))}`,
  );
  if (rows.length === limit) return { rows, cursor: { hour: todo.hour, id: Number(rows.at(-1)?.id) } };
  if (end === start + HOUR_MS) await markDone(work, todo);
  return { rows, cursor: { done: todo.hour } };
}

async function hourToDo(work: RunWork, before: Date, cursor: HourCursor | null): Promise<HourToDo | null> {
  const { tables, strategy } = work;
  const through = strategy === 'purge' ? 'purged_through' : 'anonymized_through';
  const [todo] = await ask<HourToDo>(work, (parameters) => {
    const from =
      cursor === null
        ? 'true'
        : 'hour' in cursor
          ? `h.hour >= ${parameters.add(cursor.hour)}`
          : `h.hour > ${parameters.add(cursor.done)}`;
    return `select h.hour, greatest(h.min_id, coalesce(done.${through}, 0) + 1) as first, h.max_id as last
      from ${tables.hours} h left join ${tables.retentionHours} done on done.hour = h.hour
      where ${from} and h.hour <= ${parameters.add(timeText(before).slice(0, 13))}
        and h.max_id > coalesce(done.${through}, 0)
      order by h.hour limit 1`;
  });
  return todo ?? null;
}

/** An hour that just ended may still be written to by whoever took an id before: it is gone through again next time. */
async function markDone(work: RunWork, { hour, last }: HourToDo): Promise<void> {
  const settled = Date.now() - HOUR_MS > new Date(`${hour}:00:00.000Z`).getTime() + HOUR_MS;
  if (!settled) return;
  const columns =
    work.strategy === 'purge' ? ['purged_through', 'anonymized_through'] : ['anonymized_through'];
  await noteHour(work, hour, (parameters) =>
    columns.map((column) => `${column} = greatest(${column}, ${parameters.add(Number(last))})`).join(', '),
  );
}

async function select(
  work: RunWork,
  limit: number,
  condition: (parameters: Parameters) => string,
): Promise<ChunkRow[]> {
  const rows = await ask<Omit<ChunkRow, 'hour'> & { readonly occurred_at: Date }>(
    work,
    (parameters) => `select ${COLUMNS} from ${work.tables.evidence}
      where ${condition(parameters)} order by id limit ${parameters.add(limit)}`,
  );
  return rows.map(({ occurred_at: occurredAt, ...row }) => ({ ...row, hour: hourText(occurredAt) }));
}
