import type { EntityManager } from 'typeorm';
import type { Approval, NewApproval } from '../../../../contracts/src/approvals.js';
import { appendDecision } from '../audit/append-decision.js';
import { rowsOf, type Database } from '../database.js';
import { openKeyOf } from './open-key.js';
import { pendingNow } from './pending-now.js';
import { approvalRows, type ApprovalValues, type BuildEvidence } from './transition.js';

export type Parked = { readonly approval: Approval; readonly created: boolean } | null;

/** Within a transaction: answers the twin that waits already, refuses one too many, or parks the call. */
export async function parkCall(
  database: Database,
  manager: EntityManager,
  call: NewApproval,
  evidence: BuildEvidence,
  maxOpen: number,
): Promise<Parked> {
  await lockParking(database, manager);
  const rows = approvalRows(database, manager);
  const waiting = pendingNow(database.dialect);

  const openKey = openKeyOf(call);
  if (openKey !== null) {
    const twin = await rows.findOneBy({ openKey, ...waiting });
    if (twin !== null) return { approval: twin, created: false };
    // One whose time is up no longer keeps this call out; it still waits to be told so, with its evidence.
    await rows.update({ openKey }, { openKey: null });
  }

  const { principalId } = call;
  if (principalId !== null && (await rows.countBy({ principalId, ...waiting })) >= maxOpen) return null;

  const approval = await insert(database, manager, call, openKey);
  await appendDecision(manager, database.tables, evidence(approval));
  return { approval, created: true };
}

/** Calls are parked one after the other, so that none slips past the limit or beside its twin. */
async function lockParking({ tables }: Database, manager: EntityManager): Promise<void> {
  await rowsOf(manager, `select name from ${tables.locks} where name = 'parking' for update`);
}

async function insert(
  database: Database,
  manager: EntityManager,
  { ttlMs, ...call }: NewApproval,
  openKey: string | null,
): Promise<Approval> {
  const rows = approvalRows(database, manager);
  const createdAt = await databaseTime(database, manager);
  const expiresAt = new Date(createdAt.getTime() + ttlMs);
  const values = { ...call, openKey, status: 'pending', createdAt, expiresAt } as ApprovalValues;
  const { identifiers } = await rows.insert(values);
  return rows.findOneByOrFail({ id: Number(identifiers[0]?.['id']) });
}

async function databaseTime({ dialect }: Database, manager: EntityManager): Promise<Date> {
  const [clock] = await rowsOf<{ readonly now: Date }>(manager, `select ${dialect.now} as now`);
  if (clock === undefined) throw new Error('The database did not tell its time.');
  return clock.now;
}
