import { IsNull, Not, type EntityManager } from 'typeorm';
import { GuardrailsError } from '../../../../contracts/src/errors.js';
import type { Approval, NewApproval } from '../../../../contracts/src/approvals.js';
import type { BuildEvidence } from '../../../../contracts/src/approvals.store.js';
import { appendDecision } from '../audit/append-decision.js';
import type { Database } from '../database.js';
import { rowsOf } from '../rows.js';
import { isText, pendingNow, stuck } from './approval-conditions.js';
import { insertNew } from './insert-new.js';
import { openKeyOf, openSlotsOf } from './open-key.js';
import { approvalRows, type ApprovalValues, type ApprovalWhere } from './transition.js';

export type Parked = { readonly approval: Approval; readonly created: boolean } | null;

/** A place among the open calls of a principal; without a key for a call that is counted for nobody. */
interface Slot {
  readonly key: string | null;
}

/** Each failed attempt is a call of the same principal that came first: so many at once is no accident. */
const MOST_ATTEMPTS = 200;

/**
 * Within a transaction: answers the twin that is there already, refuses one too many, or parks the call. No lock is
 * taken: who comes second trips over the twin's key, or over the place that the other one took.
 */
export async function parkCall(
  database: Database,
  manager: EntityManager,
  call: NewApproval,
  evidence: BuildEvidence,
  maxOpen: number,
): Promise<Parked> {
  const rows = approvalRows(database, manager);
  const openKey = openKeyOf(call);
  for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
    // Each time anew: time goes on while others are faster.
    await makeRoom(database, manager, call, openKey);
    const twin = openKey === null ? null : await rows.findOneBy(twinOf(database, openKey));
    if (twin !== null) return { approval: twin, created: false };
    const slot = await freeSlot(database, manager, call, maxOpen);
    if (slot === null) return null;
    const id = await insert(database, manager, call, openKey, slot.key);
    if (id === null) continue;
    const approval = await rows.findOneByOrFail({ id });
    await appendDecision(manager, database, evidence(approval));
    return { approval, created: true };
  }
  throw GuardrailsError.storeUnavailable(new Error('Too many calls of one principal are parked at once.'));
}

/** A call that waits is one for as long as it can be decided. */
function twinOf({ dialect }: Database, openKey: string): ApprovalWhere[] {
  return [
    { openKey, status: Not('pending') },
    { openKey, ...pendingNow(dialect) },
  ];
}

/** Those whose time is up keep nothing out any more; they still wait to be told so, with their evidence. */
async function makeRoom(
  database: Database,
  manager: EntityManager,
  { principalId }: NewApproval,
  openKey: string | null,
): Promise<void> {
  const overdue = stuck(database.dialect, 'overdue');
  const inTheWay: ApprovalWhere[] = [
    ...(openKey === null ? [] : [{ ...overdue, openKey }]),
    ...(principalId === null ? [] : [{ ...overdue, principalId, openSlot: Not(IsNull()) }]),
  ];
  if (inTheWay.length === 0) return;
  const values: ApprovalValues = { openKey: null, openSlot: null };
  await manager.createQueryBuilder().update(database.entities.approval).set(values).where(inTheWay).execute();
}

/** `null`: the principal has no place left. */
async function freeSlot(
  database: Database,
  manager: EntityManager,
  { principalId }: NewApproval,
  maxOpen: number,
): Promise<Slot | null> {
  if (principalId === null) return { key: null };
  const { dialect } = database;
  const where = { ...isText(dialect, 'principalId', principalId), ...pendingNow(dialect) };
  const open = await approvalRows(database, manager).find({ where, select: { id: true, openSlot: true } });
  if (open.length >= maxOpen) return null;
  const taken = new Set(open.map(({ openSlot }) => openSlot));
  const free = openSlotsOf(principalId, maxOpen).filter((slot) => !taken.has(slot));
  // Not the first one: calls that are parked at once should not all want the same.
  const key = free[Math.floor(Math.random() * free.length)];
  return key === undefined ? null : { key };
}

/** `null`: somebody was faster. */
async function insert(
  database: Database,
  manager: EntityManager,
  { ttlMs, ...call }: NewApproval,
  openKey: string | null,
  openSlot: string | null,
): Promise<number | null> {
  const createdAt = await databaseTime(database, manager);
  const expiresAt = new Date(createdAt.getTime() + ttlMs);
  const values = {
    ...call,
    openKey,
    openSlot,
    status: 'pending',
    fence: 0,
    notifyAttempts: 0,
    createdAt,
    expiresAt,
  };
  return insertNew(database, manager, values as ApprovalValues);
}

async function databaseTime({ dialect }: Database, manager: EntityManager): Promise<Date> {
  const [clock] = await rowsOf<{ readonly now: Date }>(manager, `select ${dialect.now} as now`);
  if (clock === undefined) throw new Error('The database did not tell its time.');
  return clock.now;
}
