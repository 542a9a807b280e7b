// Reads, locks and writes single approvals with their votes. What may change is decided by `next` of the engine.
import {
  In,
  type EntityManager,
  type ObjectLiteral,
  type QueryDeepPartialEntity,
  type Repository,
} from 'typeorm';
import type { Approval, ApprovalVote } from '#contracts/approvals/approvals.js';
import type { ApprovalRow } from '#contracts/stores/approvals.store.js';
import { approvalOf, mayBeRequestedAgain } from '#engine/controls/approvals/life-cycle.js';
import { settleClaims } from '../budgets/budgets.store.js';
import type { Transaction } from '../database/connection-pool.js';
import type { Database } from '../database/database.js';
import { NOW, raw, sql } from '../database/sql.js';
import type { ApprovalColumns } from '../database/approval.entity.js';

export type ApprovalValues = QueryDeepPartialEntity<ApprovalColumns>;

/** The unique keys of a call, and the history in which it was written. */
export type ApprovalKeys = Pick<ApprovalColumns, 'dedupKey' | 'pendingSlot' | 'decidedIn'>;

interface LockedApproval {
  readonly row: ApprovalRow;
  readonly keys: ApprovalKeys;
  /** The clock of the database, read under the lock. */
  readonly now: Date;
}

export function approvalRows(
  { entities }: Database,
  { manager }: Pick<Transaction, 'manager'>,
): Repository<ApprovalColumns> {
  return manager.getRepository(entities.approval);
}

/** Locks and reads the approval with one statement, until the transaction ends; `null` if there is none. */
export async function lockApproval(
  database: Database,
  transaction: Transaction,
  id: number,
): Promise<LockedApproval | null> {
  const { rows } = await transaction.query<{ readonly now: Date; readonly history: string }>(
    // The outer query reads the clock after the inner one has waited for the lock.
    sql`select *, ${NOW} as now from (
      select *, ${raw(historyOf('xmin'))} as history from ${database.tables.approvals}
      where id = ${id} for update) as locked`,
  );
  const [locked] = rows;
  if (locked === undefined) return null;
  const { dedupKey, pendingSlot, decidedIn, ...columns } = stored(
    approvalRows(database, transaction),
    locked,
  );
  const isTrusted = columns.status === 'pending' && (decidedIn ?? 'pending') === 'pending';
  const isRestored = decidedIn !== locked.history && !isTrusted;
  const row = { ...(await withVotes(database, transaction, columns)), isRestored };
  return { row, keys: { dedupKey, pendingSlot, decidedIn }, now: locked.now };
}

/** The record of a row that a statement returned, converted as by the repository. */
function stored<Row extends ObjectLiteral>({ metadata }: Repository<Row>, row: object): Row {
  const { columns, connection } = metadata;
  const values = row as Readonly<Record<string, unknown>>;
  return Object.fromEntries(
    columns.map((column) => [
      column.propertyName,
      connection.driver.prepareHydratedValue(values[column.databaseName], column) as unknown,
    ]),
  ) as Row;
}

/** The approval of a row that a statement returned. */
export function storedApproval(
  rows: Repository<ApprovalColumns>,
  row: object,
  votes: readonly ApprovalVote[],
): Approval {
  const { dedupKey: _key, pendingSlot: _slot, decidedIn: _history, ...columns } = stored(rows, row);
  return approvalOf({ ...columns, votes, isRestored: false });
}

/** Writes the columns and votes that changed, and what follows for the keys of the call and for its claims. */
export async function saveApproval(
  database: Database,
  transaction: Transaction,
  before: ApprovalRow,
  row: ApprovalRow,
): Promise<Approval> {
  const { id, status } = row;
  const rows = approvalRows(database, transaction);
  // The guard of the table lets a restored call become unknown through `executing` only.
  if (before.status === 'approved' && status === 'outcome_unknown')
    await rows.update({ id }, { status: 'executing', fence: row.fence });
  const isWaiting = status === 'pending' || status === 'approved';
  const { raw: updated } = await rows
    .createQueryBuilder()
    .update()
    .set({
      ...changedColumns(before, row),
      ...(status !== 'pending' && { pendingSlot: null }),
      ...(mayBeRequestedAgain(row) && { dedupKey: null }),
      // Every change of a row that waits for its approval or its run keeps the history that the row has.
      ...(isWaiting && !row.isRestored && { decidedIn: currentHistory }),
    })
    .where({ id })
    .returning('*')
    .execute();
  const votes = await saveVotes(database, transaction, before, row);
  const approval = storedApproval(rows, (updated as readonly [object])[0], votes);
  if (status !== before.status) await settleClaims(transaction, database.tables, approval);
  return approval;
}

function changedColumns(
  before: ApprovalRow,
  { votes: _votes, isRestored: _isRestored, ...columns }: ApprovalRow,
): ApprovalValues {
  const changed = Object.entries(columns).filter(
    ([name, value]) => value !== before[name as keyof ApprovalRow],
  );
  return Object.fromEntries(changed);
}

/** Inserts the new vote, and voids the votes of approvers who have lost the right to decide. */
async function saveVotes(
  { entities }: Database,
  { manager }: Transaction,
  before: ApprovalRow,
  { id: approvalId, votes }: ApprovalRow,
): Promise<readonly ApprovalVote[]> {
  const table = manager.getRepository(entities.approvalVote);
  const { length } = before.votes;
  const all = votes.slice(0, length);
  for (const { id: _id, ...vote } of votes.slice(length)) {
    const insert = table
      .createQueryBuilder()
      .insert()
      .values({ ...vote, approvalId });
    const { raw: inserted } = await insert.updateEntity(false).returning('*').execute();
    const { approvalId: _approvalId, ...added } = stored(table, (inserted as readonly [object])[0]);
    all.push(added);
  }
  for (const [place, { id, voidedAt }] of votes.slice(0, length).entries())
    if (voidedAt !== before.votes[place]?.voidedAt) await table.update({ id }, { voidedAt });
  return all;
}

export async function findApproval(
  database: Database,
  transaction: Pick<Transaction, 'manager'>,
  where: { readonly id: number } | { readonly tokenHash: string },
): Promise<Approval | null> {
  const row = await approvalRows(database, transaction).findOneBy(where);
  return row === null ? null : withVotes(database, transaction, row);
}

type WithVotes<Row> = Row & Pick<Approval, 'votes'>;
type Voted = Pick<Approval, 'id' | 'voteCount'>;

async function withVotes<Row extends Voted>(
  database: Database,
  { manager }: Pick<Transaction, 'manager'>,
  row: Row,
): Promise<WithVotes<Row>> {
  const [voted] = await allWithVotes(database, manager, [row]);
  return voted ?? { ...row, votes: [] };
}

/** Adds the votes to approvals. Runs no query if none of them has votes. */
export async function allWithVotes<Row extends Voted>(
  { entities }: Database,
  manager: EntityManager,
  rows: readonly Row[],
): Promise<WithVotes<Row>[]> {
  const ids = rows.filter(({ voteCount }) => voteCount > 0).map(({ id }) => id);
  const found =
    ids.length === 0
      ? []
      : await manager
          .getRepository(entities.approvalVote)
          .find({ where: { approvalId: In(ids) }, order: { id: 'ASC' } });
  const votes = new Map<number, ApprovalVote[]>();
  for (const { approvalId, ...vote } of found)
    votes.set(approvalId, [...(votes.get(approvalId) ?? []), vote]);
  return rows.map((row) => ({ ...row, votes: votes.get(row.id) ?? [] }));
}

/**
 * The timeline, the database, the table and the transaction that wrote a row. A promoted replica and a recovery to a
 * point in time begin a timeline; a restored dump is written by other transactions. So a row that was restored does not
 * have the history that it recorded, and its call may have been approved and have run after the backup. Earlier
 * versions recorded none of calls that wait for approval; these are trusted.
 */
export const historyOf = (transaction: string): string =>
  `concat_ws(' ', left(pg_walfile_name(pg_current_wal_lsn()), 8),
    (select oid from pg_database where datname = current_database()), tableoid, ${transaction})`;

/** The history that a row gets which this transaction writes. */
export const currentHistory = (): string => historyOf('pg_current_xact_id()::xid');
