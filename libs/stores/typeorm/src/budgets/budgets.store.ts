import type { Approval } from '#contracts/approvals/approvals.js';
import type { Decision } from '#contracts/audit/record.js';
import { BudgetStore } from '#contracts/stores/approvals.store.js';
import {
  type BudgetClaim,
  type BudgetLimit,
  type BudgetState,
  LONGEST_WINDOW_MS,
  type Reservation,
} from '#contracts/approvals/budgets.js';
import { appendDecision } from '../audit/decision-writer.js';
import type { Transaction } from '../database/connection-pool.js';
import type { Database } from '../database/database.js';
import { fromNow, NOW, raw, rows as relationOf, type Sql, sql } from '../database/sql.js';
import { macOf, type Tables } from '../database/tables.js';

export class TypeormBudgetStore extends BudgetStore {
  constructor(private readonly database: Database) {
    super();
  }

  override async states(claims: readonly BudgetClaim[], limits: readonly BudgetLimit[]) {
    if (limits.length === 0) return [];
    return this.database.query<BudgetState>(statesOf(this.database.tables, claims, limits), {
      isPrepared: true,
    });
  }

  override admit(
    reservation: Reservation,
    limits: readonly BudgetLimit[],
    evidence: (states: readonly BudgetState[]) => Decision,
  ) {
    const { tables } = this.database;
    const { claims } = reservation;
    return this.database.transaction(async (transaction) => {
      const now = await lockBudgets(transaction, tables, claims);
      const { rows: states } = await transaction.query<BudgetState>(statesOf(tables, claims, limits), {
        isPrepared: true,
      });
      if (states.some(({ isExceeded }) => isExceeded)) return { isAdmitted: false, states };
      await reserve(transaction, tables, reservation, now);
      await appendDecision(transaction, this.database, evidence(states));
      return { isAdmitted: true, states };
    });
  }

  override async release(reference: string) {
    await this.database.transaction((transaction) => release(transaction, this.database.tables, reference));
  }
}

/** Number of the hour since 1970. */
export const hourOf = (time: Sql): Sql => sql`floor(extract(epoch from ${time}) / 3600)::bigint`;

/** Windows begin within an hour. */
export const KEPT_MS = LONGEST_WINDOW_MS + 3_600_000;

/** Old rows that one reservation removes, per table. */
const MAX_REMOVED_ROWS = 500;

/**
 * Creates and locks the rows of the budgets until the transaction ends. The order prevents deadlocks. The sums are read
 * by a later statement, which reads everything that was committed under the lock. Resolves to the time of the lock.
 */
async function lockBudgets(
  transaction: Transaction,
  { budgets }: Tables,
  claims: readonly BudgetClaim[],
): Promise<Date | undefined> {
  const given = relationOf(
    claims.map(({ budget, owner }) => ({ budget, owner })),
    { budget: 'text', owner: 'text' },
  );
  const { rows } = await transaction.query<{ now: Date }>(
    sql`insert into ${budgets} as existing (budget, owner)
      select budget, owner from ${given} order by budget
      on conflict (budget) do update set owner = excluded.owner returning ${NOW} as now`,
    { isPrepared: true },
  );
  return rows.at(-1)?.now;
}

/**
 * The sum of each limit: single reservations of the hour in which its window begins, and the sums of later hours. At
 * most 720 hours, and the reservations of one hour, are read.
 */
export function statesOf(
  { reservations, budgetHours }: Tables,
  claims: readonly BudgetClaim[],
  limits: readonly BudgetLimit[],
): Sql {
  const given = relationOf(
    limits.map(({ budget, exactBudget = budget, windowMs, lte }, index) => ({
      place: index,
      budget,
      exactBudget,
      windowMs,
      lte,
      amount: claims.find((claim) => claim.budget === budget)?.amount ?? '0',
    })),
    {
      place: 'integer',
      budget: 'text',
      exactBudget: 'text',
      windowMs: 'bigint',
      lte: 'numeric',
      amount: 'numeric',
    },
  );
  return sql`with clock as materialized (select ${NOW} as now),
    windows as materialized (
      select given.*, now - window_ms * interval '1 millisecond' as since,
        ${hourOf(raw(`now - window_ms * interval '1 millisecond'`))} as first_hour
      from clock, ${given}),
    sums as materialized (
      select place, lte, amount,
        (select coalesce(sum(r.amount), 0) from ${reservations} r
          where r.budget in (windows.budget, windows.exact_budget) and r.reserved_at > windows.since
            and r.reserved_at < to_timestamp((first_hour + 1) * 3600))
        + (select coalesce(sum(h.amount), 0) from ${budgetHours} h
          where h.budget in (windows.budget, windows.exact_budget) and h.hour > first_hour) as spent
      from windows)
    select trim_scale(spent)::text as spent, spent + amount > lte as "isExceeded" from sums order by place`;
}

/**
 * Adds the claims, and removes reservations of these budgets that no window reaches any more.
 *
 * @param now the time of the lock, which the MAC of a reservation covers
 */
async function reserve(
  transaction: Transaction,
  tables: Tables,
  { reference, claims }: Reservation,
  now: Date | undefined,
) {
  const { reservations, budgetHours } = tables;
  const given = relationOf(
    claims.map(({ budget, amount }) => ({
      budget,
      amount,
      mac: macOf(tables, 'reservation', reference, budget, amount, now?.toISOString()),
    })),
    { budget: 'text', amount: 'numeric', mac: 'text' },
  );
  const oldest = fromNow(-KEPT_MS);
  await transaction.query(
    sql`with claims as materialized (select given.*, ${now ?? null}::timestamptz as now from ${given}),
      hours as (
        insert into ${budgetHours} as existing (budget, hour, amount)
        select budget, ${hourOf(raw('now'))}, amount from claims order by budget
        on conflict (budget, hour) do update set amount = existing.amount + excluded.amount),
      old as (
        delete from ${reservations} where (reference, budget) in (
          select r.reference, r.budget from ${reservations} r
          where r.budget in (select budget from claims) and r.reserved_at < ${oldest} limit ${MAX_REMOVED_ROWS}
          for update skip locked)),
      old_hours as (
        delete from ${budgetHours} where (budget, hour) in (
          select h.budget, h.hour from ${budgetHours} h
          where h.budget in (select budget from claims) and h.hour < ${hourOf(oldest)} limit ${MAX_REMOVED_ROWS}
          for update skip locked))
      insert into ${reservations} (reference, budget, amount, reserved_at, mac)
      select ${reference}, budget, amount, now, mac from claims`,
    { isPrepared: true },
  );
}

/** Does nothing where nothing is reserved. Locks the budgets first, like a reservation. */
async function release(
  transaction: Transaction,
  { budgets, reservations, budgetHours }: Tables,
  reference: string,
) {
  await transaction.query(
    sql`select 1 from ${budgets} where budget in (select budget from ${reservations} where reference = ${reference})
      order by budget for update`,
  );
  await transaction.query(
    sql`with gone as (
        delete from ${reservations} where reference = ${reference} returning budget, amount, reserved_at)
      update ${budgetHours} h set amount = h.amount - gone.amount
      from gone where h.budget = gone.budget and h.hour = ${hourOf(raw('gone.reserved_at'))}`,
  );
}

/**
 * Reserves what an approved call claims, and releases it where the call failed or will not run. Call it before the
 * evidence is appended: budgets are locked before the counts, as by a call that is admitted.
 */
export async function settleClaims(
  transaction: Transaction,
  tables: Tables,
  { status, reference, claims }: Approval,
): Promise<void> {
  if (claims.length === 0) return;
  if (status === 'approved') {
    const now = await lockBudgets(transaction, tables, claims);
    await reserve(transaction, tables, { reference, claims }, now);
  }
  if (status === 'failed' || status === 'superseded') await release(transaction, tables, reference);
}

/** Deletes at most `limit` rows of each kind that no window reaches any more. Returns whether there may be more. */
export async function deleteOldReservations(
  transaction: Transaction,
  { budgets, reservations, budgetHours }: Tables,
  limit: number,
): Promise<boolean> {
  const oldest = fromNow(-KEPT_MS);
  const removed = [
    await transaction.query(
      sql`delete from ${reservations} where (reference, budget) in (
        select reference, budget from ${reservations} where reserved_at < ${oldest} limit ${limit}
        for update skip locked)`,
    ),
    await transaction.query(
      sql`delete from ${budgetHours} where (budget, hour) in (
        select budget, hour from ${budgetHours} where hour < ${hourOf(oldest)} limit ${limit} for update skip locked)`,
    ),
  ];
  const unused = sql`not exists (select 1 from ${reservations} r where r.budget = b.budget)
    and not exists (select 1 from ${budgetHours} h where h.budget = b.budget)`;
  const { rows: locked } = await transaction.query<{ budget: string }>(
    sql`select b.budget from ${budgets} b where ${unused} limit ${limit} for update of b skip locked`,
  );
  if (locked.length > 0) {
    const names = locked.map(({ budget }) => budget);
    // A call may have reserved before the lock, so only a later statement under the lock sees all reservations.
    removed.push(
      await transaction.query(
        sql`delete from ${budgets} b where b.budget = any(${names}::text[]) and ${unused}`,
      ),
    );
  }
  return removed.some(({ rowCount }) => rowCount === limit);
}

/** Erases the budgets of a principal. */
export async function eraseBudgets(
  transaction: Transaction,
  { budgets, reservations, budgetHours }: Tables,
  owner: string,
): Promise<void> {
  await transaction.query(
    sql`with locked as materialized (
        select budget from ${budgets} where owner = ${owner} order by budget for update),
      gone as (delete from ${budgets} where budget in (select budget from locked) returning budget),
      single as (delete from ${reservations} where budget in (select budget from gone))
      delete from ${budgetHours} where budget in (select budget from gone)`,
  );
}
