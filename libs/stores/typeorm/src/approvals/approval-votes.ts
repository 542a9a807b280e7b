import { In, type EntityManager } from 'typeorm';
import type { Approval, ApprovalVote } from '#contracts/approvals/approvals.js';
import type { DecideCommand, NewVote } from '#contracts/stores/approvals.store.js';
import type { Transaction } from '../database/connection-pool.js';
import type { Database } from '../database/database.js';
import { join, NOW, sql } from '../database/sql.js';

type WithoutVotes = Pick<Approval, 'id' | 'voteCount'>;

/** Adds the votes to an approval. */
export async function withVotes<Row extends WithoutVotes>(
  database: Database,
  manager: EntityManager,
  row: Row,
): Promise<Row & Pick<Approval, 'votes'>> {
  const [voted] = await allWithVotes(database, manager, [row]);
  return voted ?? { ...row, votes: [] };
}

/** Adds the votes to approvals. Runs no query if none of them has votes. */
export async function allWithVotes<Row extends WithoutVotes>(
  { entities }: Database,
  manager: EntityManager,
  rows: readonly Row[],
): Promise<(Row & Pick<Approval, 'votes'>)[]> {
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

/** Inserts the vote, and voids the votes of approvers who have lost the right to decide. */
export async function writeVote(
  { tables }: Database,
  transaction: Transaction,
  approvalId: number,
  { actorId, reason }: Pick<DecideCommand, 'actorId' | 'reason'>,
  { voteMac, voided }: NewVote,
): Promise<void> {
  const values = [sql`${approvalId}`, sql`${actorId}`, sql`${reason}`, NOW, sql`${voteMac}`];
  await transaction.query(
    sql`insert into ${tables.approvalVotes} (approval_id, actor_id, reason, voted_at, vote_mac)
      values (${join(values)})`,
  );
  if (voided.length === 0) return;
  await transaction.query(
    sql`update ${tables.approvalVotes} set voided_at = ${NOW}
      where approval_id = ${approvalId} and id = any(${voided}::bigint[]) and voided_at is null`,
  );
}
