import { principalEquals } from '../database/list-filters.js';
import { raw, sql, where, type Sql } from '../database/sql.js';
import { HOUR_MS, timeText } from '../database/time-windows.js';
import {
  countOf,
  isLoggedEntry,
  notHeld,
  NOTHING_TO_DO,
  type RetentionContext,
  type RetentionStep,
  type StepResult,
} from './retention-step.js';

/** Erases contents, or deletes evidence with everything that belongs to it: one statement per call. */
export const evidenceStep: RetentionStep = {
  async count(context) {
    const { evidence, content, reviews } = context.tables;
    const wanted = [evidenceInScope(context), notHeld(context, 'evidence', 'e')];
    const count = (rows: Sql, ...more: readonly Sql[]) =>
      countOf(
        context,
        sql`select count(*) as count from ${rows}
          ${where([...more, ...wanted])}`,
      );
    if (context.strategy === 'anonymize') {
      const texts = sql`${evidence} e join ${content} c on c.evidence_id = e.id`;
      return { entries: await count(texts, raw(`c.storage <> 'erased'`)) };
    }
    return {
      entries: await count(sql`${evidence} e`),
      reviews: await count(sql`${reviews} r join ${evidence} e on e.id = r.evidence_id`),
    };
  },

  async run(context, cursor, limit) {
    const { scope } = context;
    if (scope.kind === 'before') return runByAge(context, scope.before, cursor as number | null, limit);
    const after = sql`e.id > ${Number(cursor ?? 0)}`;
    return apply(context, sql`${evidenceInScope(context)} and ${after}`, raw('true'), limit);
  },
};

function evidenceInScope({ scope, tables }: RetentionContext): Sql {
  switch (scope.kind) {
    case 'entry':
      return sql`e.id = ${scope.id}`;
    case 'principal':
      return principalEquals('e.principal_ref', scope.principalId, tables);
    case 'before':
      return sql`e.occurred_at < ${scope.before}`;
  }
  return scope satisfies never;
}

/**
 * Reads ids upwards, because an index of times would slow down every append. Ids above the last one of an hour before
 * `before` are not read. Ids that an earlier run has anonymized are not read again, unless a hold was released since.
 */
async function runByAge(
  context: RetentionContext,
  before: Date,
  cursor: number | null,
  limit: number,
): Promise<StepResult> {
  const { idRanges, retentionLock, holds } = context.tables;
  const { transaction, strategy } = context;
  const { rows: bounds } = await transaction.query<{ last: number | null; anonymizedThrough: number | null }>(
    sql`select (select max(max_id) from ${idRanges} where unit = 'hour' and time <= ${timeText(before, 'hour')}) as last,
      (select anonymized_through from ${retentionLock}
        where holds_released = (select count(*) from ${holds} where released_at is not null)) as "anonymizedThrough"`,
  );
  const [{ last, anonymizedThrough } = { last: null, anonymizedThrough: 0 }] = bounds;
  if (last === null) return NOTHING_TO_DO;
  const after = cursor ?? (strategy === 'purge' ? 0 : (anonymizedThrough ?? 0));
  const isRead = sql`e.id > ${after} and e.id <= ${last}`;
  const result = await apply(context, isRead, sql`occurred_at < ${before}::timestamptz`, limit);
  if (result.cursor === null && strategy === 'anonymize') await recordAnonymized(context, before);
  return result;
}

/**
 * Records up to which id every entry is anonymized: below the first id of the hour of `before`. An hour that ended less
 * than an hour ago does not count, because an append may still be about to commit a lower id. Only the holds that were
 * released before the run began count: the run has skipped the rows of the others.
 */
async function recordAnonymized({ transaction, tables, runId }: RetentionContext, before: Date) {
  const { idRanges, retentionLock, retentionRuns, holds } = tables;
  const hour = timeText(new Date(Math.min(before.getTime(), Date.now() - HOUR_MS)), 'hour');
  await transaction.query(
    sql`update ${retentionLock} set anonymized_through = greatest(anonymized_through, coalesce(
      (select min(min_id) - 1 from ${idRanges} where unit = 'hour' and time >= ${hour}),
      (select max(max_id) from ${idRanges} where unit = 'hour'), 0)),
      holds_released = (select count(*) from ${holds}
        where released_at < (select started_at from ${retentionRuns} where id = ${runId}))`,
  );
}

/** Reads the next `limit` rows by id, and handles those that are selected, in one statement. */
async function apply(
  context: RetentionContext,
  isRead: Sql,
  isSelected: Sql,
  limit: number,
): Promise<StepResult> {
  await waitForReviews(context);
  // A run may hold hashes of the text.
  const { runs, runQueue, runRows, principals } = context.tables;
  const { rows } = await context.transaction.query<typeof NOTHING_READ>(
    sql`with read_rows as materialized (
        select id, occurred_at, principal_ref, run_id, application, writer, sequence
        from ${context.tables.evidence} e where ${isRead} order by id limit ${limit}),
      selected as materialized (
        select * from read_rows where ${isSelected} and ${notHeld(context, 'evidence', 'read_rows')}
          ${context.strategy === 'purge' ? sql`and ${isLoggedEntry(context, 'read_rows')}` : raw('')}),
      ended_runs as (
        delete from ${runs} run using selected left join ${principals} p on p.id = selected.principal_ref
        where run.run_id = selected.run_id and run.principal_digest is not distinct from p.digest),
      queued as (
        delete from ${runQueue} queue using selected where queue.evidence_id = selected.id),
      ${context.strategy === 'purge' ? deletion(context) : erasure(context)}
      select (select count(*) from touched) as entries, (select count(*) from reviews) as reviews,
        count(*) as read, max(id) as last, array(select id from selected) as ids from read_rows`,
  );
  const [{ entries, reviews, read, last, ids } = NOTHING_READ] = rows;
  // A statement of its own, because the one above may have waited for a fold of these entries, whose rows it does not see.
  await context.transaction.query(sql`delete from ${runRows} where id = any(${ids}::bigint[])`);
  return { counts: { entries, reviews }, cursor: read < limit ? null : last };
}

/** Reviews are deleted together with their entries. */
const NOTHING_READ = {
  entries: 0,
  reviews: 0,
  read: 0,
  last: null as number | null,
  ids: [] as readonly number[],
};

/** Running reviews are committed, and new ones wait until the transaction ends and then do not find the entry. */
export async function waitForReviews({ transaction, tables }: RetentionContext): Promise<void> {
  await transaction.query(sql`lock table ${tables.reviews} in share mode`);
}

/** The salt is erased with the text: without it the commitments reveal nothing. */
function erasure({ tables }: RetentionContext): Sql {
  return sql`notes as (
    update ${tables.reviews} r set note = null
    from selected where r.evidence_id = selected.id and r.note is not null),
  reviews as (select where false),
  touched as (
    update ${tables.content} c
    set storage = 'erased', prompt = '', matched_text = null, alteration = null, policy = null, salt = null,
      matched_span_start = null, matched_span_end = null
    from selected where c.evidence_id = selected.id and c.storage <> 'erased'
    returning 1)`;
}

/**
 * Deletes evidence with its content, rejections and counts, and records what verification needs: which rows of which
 * writer, and how many rows of each hour. A range that continues a recorded one extends it. Output counts are found by the time that they share with their evidence, because they have no index of ids.
 */
function deletion({ tables, runId }: RetentionContext): Sql {
  const { evidence, content, rejections, reviews, outputCounts, removedRanges, removedHours } = tables;
  return sql`contents as (
      delete from ${content} c using selected where c.evidence_id = selected.id),
    refusals as (
      delete from ${rejections} r using selected where r.evidence_id = selected.id),
    reviews as (
      delete from ${reviews} r using selected where r.evidence_id = selected.id returning 1),
    output_counts as (
      delete from ${outputCounts} o using selected
      where o.occurred_at = selected.occurred_at and o.evidence_id = selected.id),
    ranges as (
      select writer, min(sequence) as first, max(sequence) as last
      from (
        select *, sequence - row_number() over (partition by writer order by sequence) as series from selected) numbered
      group by writer, series),
    extended as (
      update ${removedRanges} existing
      set last_sequence = ranges.last, run_id = ${runId}
      from ranges where existing.writer = ranges.writer and existing.last_sequence = ranges.first - 1
      returning ranges.writer, ranges.first),
    added as (
      insert into ${removedRanges} (writer, first_sequence, last_sequence, run_id)
      select writer, first, last, ${runId} from ranges
      where (writer, first) not in (select writer, first from extended)),
    hours as (
      insert into ${removedHours} as existing (hour, removed)
      select to_char(occurred_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24'), count(*) from selected group by 1
      on conflict (hour) do update set removed = existing.removed + excluded.removed),
    touched as (
      delete from ${evidence} e using selected where e.id = selected.id returning 1)`;
}
