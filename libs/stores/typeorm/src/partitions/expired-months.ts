import type { RetentionCounts } from '../../../../contracts/src/retention.js';
import { recordGaps } from '../retention/parts/remove-evidence.js';
import { ask, changed, countOf, type RunWork } from '../retention/run-work.js';
import { hourText } from '../time-parts.js';
import { monthFunction, monthOf, type Month } from './months.js';
import { rangesOfMonth, type WriterHour } from './ranges-of-month.js';

const HOUR_MS = 3_600_000;

/** A month is read through once. */
const PATIENCE_MS = 10 * 60_000;

/** Each waits a second and a half for whoever reads, and lets the others by in between. */
const ATTEMPTS = 10;

/** Drops the oldest month that is wholly in the scope of a run; `null` where there is none. */
export async function dropExpiredMonth(work: RunWork): Promise<Partial<RetentionCounts> | null> {
  const [month] = await expiredMonths(work, 1);
  if (month === undefined) return null;
  await work.manager.query(`set local statement_timeout = ${PATIENCE_MS}`);
  const counts = await countsOf(work, month);
  await drop(work, month);
  return counts;
}

/** Oldest first; those behind one that is not expired are not looked at. */
export async function expiredMonths(
  work: RunWork,
  most = Number.POSITIVE_INFINITY,
): Promise<readonly Month[]> {
  const { scope, strategy, tables, dialect } = work;
  if (!dialect.partitions || scope.kind !== 'before' || strategy !== 'purge') return [];
  const rows = await ask<{ name: string }>(
    work,
    (parameters) => `select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
      where i.inhparent = to_regclass(${parameters.add(tables.evidence)}) order by c.relname`,
  );
  const expired: Month[] = [];
  for (const { name } of rows) {
    const month = monthOf(name);
    if (month === null || expired.length === most || !(await isExpired(work, month, scope.before))) break;
    expired.push(month);
  }
  return expired;
}

/**
 * All of it is older than what is to be left, and nobody can still be writing to it: entries with the ids of a later
 * month are there for longer than any append takes.
 */
async function isExpired(work: RunWork, month: Month, before: Date): Promise<boolean> {
  if (month.end > before) return false;
  const { hours } = work.tables;
  const [found] = await ask<{ young: boolean; passed: boolean }>(work, (parameters) => {
    const [first, last] = [parameters.add(month.firstId), parameters.add(month.lastId)];
    const settled = new Date(Date.now() - HOUR_MS);
    const [from, until] = [before, settled].map((time) => parameters.add(hourText(time)));
    return `select
      exists (select 1 from ${hours} where max_id >= ${first} and min_id <= ${last} and hour >= ${from}) as young,
      exists (select 1 from ${hours} where max_id > ${last} and hour < ${until}) as passed`;
  });
  return found?.passed === true && !found.young;
}

/** What the month held, and what is needed to tell its end from tampering. */
async function countsOf(work: RunWork, month: Month): Promise<Partial<RetentionCounts>> {
  const { evidence, rejections, outputCounts } = work.tables;
  const hours = await ask<WriterHour>(
    work,
    (parameters) => `
      select writer, to_char(hour, 'YYYY-MM-DD"T"HH24') as hour, rows, first, last, tail from (
        select writer, date_trunc('hour', occurred_at at time zone 'UTC') as hour, count(*) as rows,
          min(sequence) as first, max(sequence) as last, max(id) as tail
        from ${evidence} where ${within('id', month, parameters)} group by 1, 2) found`,
  );
  await recordGaps(work, await rangesOfMonth(work, month, hours));
  await noteHours(work, hours);
  const ofTable = (table: string): Promise<number> =>
    countOf(
      work,
      (parameters) =>
        `select count(*) as count from ${table} where ${within('evidence_id', month, parameters)}`,
    );
  return {
    entries: hours.reduce((sum, { rows }) => sum + Number(rows), 0),
    rejections: await ofTable(rejections),
    outputCounts: await ofTable(outputCounts),
  };
}

/** Rows that the folded counts still count; and nobody goes through these hours again. */
async function noteHours(work: RunWork, found: readonly WriterHour[]): Promise<void> {
  const hours = new Map<string, { rows: number; tail: number }>();
  for (const { hour, rows, tail } of found) {
    const known = hours.get(hour) ?? { rows: 0, tail: 0 };
    hours.set(hour, { rows: known.rows + Number(rows), tail: Math.max(known.tail, Number(tail)) });
  }
  const { retentionHours: table } = work.tables;
  await changed(
    work,
    (parameters) => `
      insert into ${table} as noted (hour, anonymized_through, purged_through, removed)
      select hour, tail, tail, rows from unnest(
        ${parameters.add([...hours.keys()])}::text[],
        ${parameters.add([...hours.values()].map(({ tail }) => tail))}::bigint[],
        ${parameters.add([...hours.values()].map(({ rows }) => rows))}::bigint[]) as given (hour, tail, rows)
      on conflict (hour) do update set removed = noted.removed + excluded.removed,
        anonymized_through = greatest(noted.anonymized_through, excluded.anonymized_through),
        purged_through = greatest(noted.purged_through, excluded.purged_through)`,
  );
}

async function drop(work: RunWork, month: Month): Promise<void> {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const [answer] = await ask<{ dropped: boolean }>(
      work,
      (parameters) =>
        `select ${monthFunction(work.tables, 'drop_month')}(${parameters.add(month.number)}) as dropped`,
    );
    if (answer?.dropped === true) return;
  }
  throw new Error(
    `The partitions${month.suffix} are expired, and somebody reads the audit for so long that they cannot be dropped: ` +
      'end long transactions, and run the purge again.',
  );
}

export function within(
  key: string,
  { firstId, lastId }: Month,
  parameters: { add(value: number): string },
): string {
  return `${key} between ${parameters.add(firstId)} and ${parameters.add(lastId)}`;
}
