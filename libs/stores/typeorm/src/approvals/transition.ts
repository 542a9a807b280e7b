import type { EntityManager, FindOptionsWhere, QueryDeepPartialEntity, Repository } from 'typeorm';
import type { Approval, BuildEvidence } from '../../../../contracts/src/approvals.js';
import { appendDecision } from '../audit/append-decision.js';
import type { Database } from '../database.js';
import type { ApprovalRow } from './approvals.entities.js';

export type ApprovalWhere = FindOptionsWhere<ApprovalRow>;
export type ApprovalValues = QueryDeepPartialEntity<ApprovalRow>;

export function approvalRows(database: Database, manager: EntityManager): Repository<ApprovalRow> {
  return manager.getRepository(database.entities.approval);
}

/** The one conditional update behind every transition. `null`: nothing was in that state, and nothing changed. */
export async function transition(
  database: Database,
  manager: EntityManager,
  from: ApprovalWhere | ApprovalWhere[],
  values: ApprovalValues,
  evidence?: BuildEvidence,
): Promise<Approval | null> {
  const rows = approvalRows(database, manager);
  const updated = await rows.createQueryBuilder().update().set(values).where(from).returning('id').execute();
  const [row] = updated.raw as { readonly id: string }[];
  if (row === undefined) return null;
  const approval = await rows.findOneByOrFail({ id: Number(row.id) });
  if (evidence !== undefined) await appendDecision(manager, database, evidence(approval));
  return approval;
}
