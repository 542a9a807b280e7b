import type { EntityManager, FindOptionsWhere, QueryDeepPartialEntity, Repository } from 'typeorm';
import type { Approval } from '../../../../contracts/src/approvals.js';
import type { BuildEvidence } from '../../../../contracts/src/approvals.store.js';
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
  const id = database.dialect.writesInQueries
    ? await moved(rows, from, values)
    : await lockedAndMoved(rows, from, values);
  if (id === null) return null;
  const approval = await rows.findOneByOrFail({ id });
  if (evidence !== undefined) await appendDecision(manager, database, evidence(approval));
  return approval;
}

type From = ApprovalWhere | ApprovalWhere[];

async function moved(
  rows: Repository<ApprovalRow>,
  from: From,
  values: ApprovalValues,
): Promise<number | null> {
  const updated = await rows.createQueryBuilder().update().set(values).where(from).returning('id').execute();
  const [row] = updated.raw as { readonly id: string }[];
  return row === undefined ? null : Number(row.id);
}

/** Where an update cannot say what it changed: who holds the row holds it until his transaction ends. */
async function lockedAndMoved(
  rows: Repository<ApprovalRow>,
  from: From,
  values: ApprovalValues,
): Promise<number | null> {
  const lock = { mode: 'pessimistic_write' } as const;
  const held = await rows.findOne({ where: from, select: { id: true }, lock });
  if (held === null) return null;
  await rows.createQueryBuilder().update().set(values).where({ id: held.id }).execute();
  return held.id;
}
