import type { RetentionCounts, RetentionScope, RetentionStrategy } from '#contracts/retention/retention.js';
import type { Transaction } from '../database/connection-pool.js';
import { lockTimeoutsAsConflicts } from '../database/database-errors.js';
import { raw, sql, type Sql } from '../database/sql.js';
import type { Tables } from '../database/tables.js';
import { hasNoLeaf, isUnloggedEntry } from '../log/recorded-steps.js';
import { coveredBy, heldRows, type HeldRows } from '../database/held-rows.js';
import { principalEquals } from '../database/list-filters.js';

/** The input of a step. The transaction has written the row of the run. */
export interface RetentionContext {
  readonly transaction: Transaction;
  readonly tables: Tables;
  readonly strategy: RetentionStrategy;
  readonly scope: RetentionScope;
  /** 0 if rows are only counted. */
  readonly runId: number;
  /** Every entry up to this id was committed when the erasure of a principal began; 0 in other runs. */
  readonly entriesThrough: number;
}

export interface StepResult {
  /** How many records were erased or deleted, also those of other parts that were deleted together with them. */
  readonly counts: Partial<RetentionCounts>;
  /** Where the step continues; `null` when it is done. */
  readonly cursor: unknown;
}

/** Erases or deletes one kind of record. */
export interface RetentionStep {
  /** What the run would count. */
  count(context: RetentionContext): Promise<Partial<RetentionCounts>>;
  /** Handles at most `limit` records. */
  run(context: RetentionContext, cursor: unknown, limit: number): Promise<StepResult>;
}

export const NOTHING_TO_DO: StepResult = { counts: {}, cursor: null };

/** Conditions that no active hold covers a row, by kind of row. */
export function notHeld(
  { tables }: Pick<RetentionContext, 'tables'>,
  kind: keyof HeldRows,
  alias: string,
): Sql {
  return raw(`not ${heldRows(namesOf(tables))[kind](alias)}`);
}

function namesOf({ holds, principals, evidence }: Tables): Parameters<typeof coveredBy>[0] {
  return { holds: holds.text, principals: principals.text, evidence: evidence.text };
}

/** For rows that refer to evidence by `evidence_id`. */
export function evidenceNotHeld(context: Pick<RetentionContext, 'tables'>, alias: string): Sql {
  const { evidence } = context.tables;
  const held = sql`select 1 from ${evidence} held_row where held_row.id = ${raw(alias)}.evidence_id
    and not (${notHeld(context, 'evidence', 'held_row')})`;
  return sql`not exists (${held})`;
}

/** Whether every step of an approval has its leaf, if there is a log. Without it the row must not be deleted. */
export function isLoggedApproval({ tables }: Pick<RetentionContext, 'tables'>, alias: string): Sql {
  return sql`(${hasNoLog(tables)} or not (${hasNoLeaf(tables, 'approval', `${alias}.id`)}
    or ${raw(alias)}.decided_at is not null and ${hasNoLeaf(tables, 'approval_decided', `${alias}.id`)}
    or exists (select 1 from ${tables.approvalVotes} v
      where v.approval_id = ${raw(alias)}.id and ${hasNoLeaf(tables, 'vote', 'v.id')})))`;
}

/** Whether an entry and its reviews have their leaves, if there is a log. */
export function isLoggedEntry({ tables }: Pick<RetentionContext, 'tables'>, alias: string): Sql {
  return sql`(${hasNoLog(tables)} or not (${isUnloggedEntry(tables, alias)}
    or exists (select 1 from ${tables.reviews} r
      where r.evidence_id = ${raw(alias)}.id and ${hasNoLeaf(tables, 'review', 'r.id')})))`;
}

const hasNoLog = ({ logState }: Tables) => sql`not exists (select 1 from ${logState} where through_id > 0)`;

/** Until the transaction ends, running appends are committed and new ones wait. */
export async function waitForAppends({ transaction, tables }: RetentionContext): Promise<void> {
  await transaction.query(sql`lock table ${tables.appendLock} in exclusive mode`);
}

const LOCK_TIMEOUT_MS = 50;

/**
 * For work while appends wait. A transaction that waits to append may hold a lock which the work needs. That deadlock ends
 * after 50 ms: the transaction of the work is rolled back and runs again.
 */
export async function whileAppendsWait<Result>(
  context: RetentionContext,
  work: () => Promise<Result>,
): Promise<Result> {
  await waitForAppends(context);
  await context.transaction.query(sql`select set_config('lock_timeout', ${String(LOCK_TIMEOUT_MS)}, true)`);
  return lockTimeoutsAsConflicts(work);
}

/** The `count` that a statement returns. */
export async function countOf({ transaction }: RetentionContext, statement: Sql): Promise<number> {
  const { rows } = await transaction.query<{ count: number }>(statement);
  return rows[0]?.count ?? 0;
}

/** How many rows a statement changed. */
export async function changedBy({ transaction }: RetentionContext, statement: Sql): Promise<number> {
  return (await transaction.query(statement)).rowCount;
}

/** The first active hold on data of the principal or the entry; `null` for runs by age, which skip the rows under a hold. */
export async function firstActiveHold(context: RetentionContext): Promise<number | null> {
  const condition = holdCondition(context);
  if (condition === null) return null;
  const { rows } = await context.transaction.query<{ id: number }>(
    sql`select h.id from ${context.tables.holds} h where h.released_at is null and ${condition} order by h.id limit 1`,
  );
  return rows[0]?.id ?? null;
}

function holdCondition({ scope, tables }: RetentionContext): Sql | null {
  const { evidence, approvals } = tables;
  const covered = coveredBy(namesOf(tables));
  const coversEvidence = raw(covered.evidence('e'));
  switch (scope.kind) {
    case 'before':
      return null;
    case 'entry':
      return sql`exists (select 1 from ${evidence} e where e.id = ${scope.id} and ${coversEvidence})`;
    case 'principal':
      return sql`(h.principal_id = ${scope.principalId}
        or exists (select 1 from ${evidence} e
          where ${principalEquals('e.principal_ref', scope.principalId, tables)} and ${coversEvidence})
        or exists (select 1 from ${approvals} a
          where a.principal_id = ${scope.principalId} and ${raw(covered.approval('a'))}))`;
  }
  return scope satisfies never;
}
