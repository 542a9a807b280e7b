import { addCounts, NOTHING_RETAINED, type RetentionCounts } from '#contracts/retention/retention.js';
import { scrubText } from '#contracts/common/text.js';
import { principalDigest } from '../database/list-filters.js';
import { sql, type Sql } from '../database/sql.js';
import { timeText } from '../database/time-windows.js';
import { runsOfPrincipal } from '../runs/run.store.js';
import { evidenceStep, waitForReviews } from './evidence.step.js';
import { approvalsStep, eventsStep, rejectionsStep } from './record-steps.js';
import {
  changedBy,
  countOf,
  notHeld,
  NOTHING_TO_DO,
  waitForAppends,
  whileAppendsWait,
  type RetentionContext,
  type RetentionStep,
  type StepResult,
} from './retention-step.js';

/** Positions are assigned before the commit, so an event that commits now may be this far behind the newest one. */
const POSITIONS_BEHIND = 10_000;

/** Names that one transaction deletes while appends wait: a few milliseconds. */
const NAMES_AT_ONCE = 250;

/** Names of principals. They are deleted last, because the other steps find the records of a principal by its name. */
export const principalsStep: RetentionStep = {
  async count(context) {
    const { tables, scope } = context;
    if (scope.kind === 'entry') return {};
    const condition =
      scope.kind === 'principal' ? isNamed(scope.principalId) : isUnusedSince(context, scope.before);
    const principals = await countOf(
      context,
      sql`select count(*) as count from ${tables.principals} where ${condition}`,
    );
    return { principals };
  },

  async run(context, cursor, limit) {
    const { scope } = context;
    if (scope.kind === 'entry') return NOTHING_TO_DO;
    return scope.kind === 'principal'
      ? deleteOne(context, scope.principalId, limit)
      : deleteUnused(context, scope.before, Number(cursor ?? 0), Math.min(limit, NAMES_AT_ONCE));
  },
};

/** Also erases rows of the principal that were appended while the other steps ran. */
async function deleteOne(context: RetentionContext, name: string, limit: number): Promise<StepResult> {
  const newest = await newestPosition(context);
  // A vacuum of the reviews may take minutes, so it is awaited before appends have to wait.
  await waitForReviews(context);
  return whileAppendsWait(context, () => deleteWithRecords(context, name, newest, limit));
}

async function deleteWithRecords(
  context: RetentionContext,
  name: string,
  newest: number,
  limit: number,
): Promise<StepResult> {
  const steps: readonly (readonly [RetentionStep, from: unknown])[] = [
    [rejectionsStep, null],
    [approvalsStep, null],
    [eventsStep, Math.max(0, newest - POSITIONS_BEHIND)],
    [evidenceStep, await handledThrough(context)],
  ];
  let counts = NOTHING_RETAINED;
  for (const [step, from] of steps) counts = addCounts(counts, await runToEnd(step, context, limit, from));
  // A purge keeps entries that have no leaf in the log yet. Their texts must not outlive the name.
  if (context.strategy === 'purge')
    await runToEnd(evidenceStep, { ...context, strategy: 'anonymize' }, limit);
  await context.transaction.query(runsOfPrincipal(context.tables, name));
  const principals = await deleteNames(context, isNamed(name));
  // A hold may name a principal that has no row.
  const { holds } = context.tables;
  await changedBy(
    context,
    sql`update ${holds} set principal_id = null where principal_id = ${name} and released_at is not null`,
  );
  return { counts: { ...counts, principals }, cursor: null };
}

/**
 * Up to which id the run has handled every entry of the principal, so that none is read again while appends wait. A
 * purge skips entries without a leaf, and every run skips those under a hold, which may be released by now.
 */
async function handledThrough({
  transaction,
  tables,
  strategy,
  runId,
  entriesThrough,
}: RetentionContext): Promise<number | null> {
  if (strategy === 'purge') return null;
  const released = await transaction.query(
    sql`select 1 from ${tables.holds}
      where released_at >= (select started_at from ${tables.retentionRuns} where id = ${runId}) limit 1`,
  );
  return released.rowCount > 0 ? null : entriesThrough;
}

async function newestPosition({ transaction, tables }: RetentionContext) {
  const { rows } = await transaction.query<{ newest: number | null }>(
    sql`select max(position) as newest from ${tables.outbox}`,
  );
  return rows[0]?.newest ?? 0;
}

async function runToEnd(
  step: RetentionStep,
  context: RetentionContext,
  limit: number,
  from: unknown = null,
): Promise<RetentionCounts> {
  let counts = NOTHING_RETAINED;
  let cursor = from;
  do {
    const result = await step.run(context, cursor, limit);
    counts = addCounts(counts, result.counts);
    cursor = result.cursor;
  } while (cursor !== null);
  return counts;
}

/** Checked before appends have to wait, and again while they wait, for entries that were appended meanwhile. */
async function deleteUnused(
  context: RetentionContext,
  before: Date,
  after: number,
  limit: number,
): Promise<StepResult> {
  const { principals } = context.tables;
  const { rows } = await context.transaction.query<{ id: number; isUnused: boolean }>(
    sql`select id, ${isUnusedSince(context, before)} as "isUnused"
      from ${principals} where id > ${after} order by id limit ${limit}`,
  );
  const cursor = rows.length < limit ? null : rows.at(-1)?.id;
  const ids = rows.filter(({ isUnused }) => isUnused).map(({ id }) => id);
  if (ids.length === 0) return { counts: {}, cursor };
  await waitForAppends(context);
  const deleted = await deleteNames(
    context,
    sql`id = any(${ids}::bigint[]) and ${isUnusedByNewEntries(context, before)}`,
  );
  return { counts: { principals: deleted }, cursor };
}

/** An active hold keeps the principal, so that only released holds can name one that is deleted. Their names are erased. */
function deleteNames(context: RetentionContext, condition: Sql): Promise<number> {
  const { principals, holds } = context.tables;
  return countOf(
    context,
    sql`with deleted as (delete from ${principals} where ${condition} returning name),
      released as (
        update ${holds} set principal_id = null
        where principal_id in (select name from deleted) and released_at is not null)
      select count(*) as count from deleted`,
  );
}

function isNamed(name: string) {
  return sql`digest = ${principalDigest(scrubText(name))}`;
}

/** A principal is kept under its own hold, and with any entry under a hold. */
function isUnusedSince(context: RetentionContext, before: Date): Sql {
  const { evidence, principals, holds } = context.tables;
  // A hold is rare, and only then are old entries read.
  return sql`${isUnusedByNewEntries(context, before)}
    and not (exists (select 1 from ${holds} where released_at is null)
      and exists (select 1 from ${evidence} e
        where e.principal_ref = ${principals}.id and not (${notHeld(context, 'evidence', 'e')})))
    and not exists (
      select 1 from ${holds} h where h.released_at is null and h.principal_id = ${principals}.name)`;
}

/**
 * Reads no entry below the first one of the hour of `before`, so that the time does not depend on how many old or deleted
 * entries a principal has. The limit keeps the subquery from becoming a join with all new entries.
 */
function isUnusedByNewEntries(context: RetentionContext, before: Date) {
  const { evidence, principals, idRanges } = context.tables;
  const firstId = sql`select coalesce(min(min_id), 0) from ${idRanges}
    where unit = 'hour' and time >= ${timeText(before, 'hour')}`;
  return sql`(select e.id from ${evidence} e where e.principal_ref = ${principals}.id and e.id >= (${firstId})
      and (e.occurred_at >= ${before} or not (${notHeld(context, 'evidence', 'e')})) limit 1) is null`;
}
