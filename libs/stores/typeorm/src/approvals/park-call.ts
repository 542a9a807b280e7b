import { hash } from 'node:crypto';
import { IsNull, Not, type EntityManager } from 'typeorm';
import type { Approval, NewApproval } from '#contracts/approvals/approvals.js';
import type { BuildEvidence, CallIdentity, ProposeCommand } from '#contracts/stores/approvals.store.js';
import { GuardrailsError } from '#contracts/common/errors.js';
import { scrubText } from '#contracts/common/text.js';
import { appendDecision } from '../audit/decision-writer.js';
import type { Transaction } from '../database/connection-pool.js';
import type { Database } from '../database/database.js';
import { NOW, raw as rawSql, sql } from '../database/sql.js';
import {
  approvalRows,
  currentHistory,
  equals,
  keepHistory,
  wherePending,
  replacementValues,
  whereStuck,
  transition,
  type ApprovalValues,
  type ApprovalWhere,
} from './approval-transitions.js';
import { withVotes } from './approval-votes.js';

export type Parked = { readonly approval: Approval; readonly created: boolean } | null;

/** Each failed attempt means that another call of the same principal was stored meanwhile. */
const MAX_ATTEMPTS = 200;

/**
 * Returns the same call if it waits already, refuses with `null` if the principal has too many pending calls, or
 * stores the call. It takes no lock: unique keys of the call and of the principal's slots detect concurrent calls.
 */
export async function parkCall(
  database: Database,
  transaction: Transaction,
  call: NewApproval,
  evidence: BuildEvidence,
  maxOpen: number,
): Promise<Parked> {
  const rows = approvalRows(database, transaction.manager);
  const dedupKey = dedupKeyOf(call);
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    // Every attempt frees them, because calls may expire in the meantime.
    await freeOverdueKeys(database, transaction, call, dedupKey);
    const existing = await findSameCall(database, transaction.manager, call);
    if (existing !== null) return { approval: existing, created: false };
    const slot = await freeSlot(database, transaction, call, maxOpen);
    if (slot === null) return null;
    const id = await insert(database, transaction, call, dedupKey, slot.key);
    if (id === null) continue;
    const approval = { ...(await rows.findOneByOrFail({ id })), votes: [] };
    const auditId = await appendDecision(transaction, database, evidence(approval));
    await rows.update({ id }, { auditId, decidedIn: currentHistory });
    return { approval: { ...approval, auditId }, created: true };
  }
  throw GuardrailsError.storeUnavailable(
    new Error('Too many calls of one principal are requested at the same time. Try again.'),
  );
}

/** The call of the same run that waits or was decided; `null` if there is none, and without a run. */
export async function findSameCall(
  database: Database,
  manager: EntityManager,
  call: CallIdentity,
): Promise<Approval | null> {
  const dedupKey = dedupKeyOf(call);
  if (dedupKey === null) return null;
  const where = sameCall(call, dedupKey);
  const row = await approvalRows(database, manager).findOne({ where, order: { id: 'ASC' } });
  return row === null ? null : withVotes(database, manager, row);
}

/** The newest approval under which the call was requested. A proposal is no request of the model. */
export async function findLastCall(
  database: Database,
  manager: EntityManager,
  call: CallIdentity,
): Promise<Approval | null> {
  if (call.runId === null) return null;
  const where = { ...inRun(call), stepName: scrubText(call.stepName), firstId: IsNull() };
  const row = await approvalRows(database, manager).findOne({ where, order: { id: 'DESC' } });
  return row === null ? null : withVotes(database, manager, row);
}

/**
 * Replaces a pending call by another one, which takes over its keys: the same request of the model finds the new call,
 * and the principal has no more pending calls than before.
 */
export async function proposeCall(
  database: Database,
  transaction: Transaction,
  id: number,
  { call, evidence, supersession }: ProposeCommand,
): Promise<{ readonly superseded: Approval; readonly proposed: Approval } | null> {
  const rows = approvalRows(database, transaction.manager);
  const { rows: locked } = await transaction.query<
    Readonly<Record<'dedupKey' | 'pendingSlot' | 'decidedIn', string | null>>
  >(
    sql`select dedup_key as "dedupKey", pending_slot as "pendingSlot", ${rawSql(keepHistory())} as "decidedIn"
      from ${database.tables.approvals}
      where id = ${id} and status = 'pending' and expires_at > ${NOW} for update`,
  );
  const [keys] = locked;
  if (keys === undefined) return null;
  await rows.update({ id }, replacementValues());
  const proposedId = await insert(database, transaction, call, keys.dedupKey, keys.pendingSlot);
  if (proposedId === null)
    throw GuardrailsError.storeUnavailable(new Error('The proposal could not be inserted. Try again.'));
  const superseded = await transition(
    database,
    transaction,
    { id },
    { supersededBy: proposedId },
    supersession,
  );
  const proposed = { ...(await rows.findOneByOrFail({ id: proposedId })), votes: [] };
  const auditId = await appendDecision(transaction, database, evidence(proposed));
  await rows.update({ id: proposedId }, { auditId, decidedIn: keys.decidedIn });
  return superseded === null ? null : { superseded, proposed: { ...proposed, auditId } };
}

/**
 * Equal for equal calls of one run and requester; the requester is included because two tenants may use the same run id.
 * `null` without a run: such a call is never a duplicate.
 */
function dedupKeyOf(call: CallIdentity): string | null {
  if (call.runId === null) return null;
  const { runId, stepName, tool, argumentsDigest, principalId, application } = call;
  const parts = [runId, stepName, tool, argumentsDigest, principalId, application];
  return hash('sha256', JSON.stringify(parts.map((part) => part && scrubText(part))));
}

/** A pending call counts as long as it can be decided, and a rejected one in every step of its run. */
function sameCall(call: CallIdentity, dedupKey: string): ApprovalWhere[] {
  const rejected: ApprovalWhere = { status: 'rejected', ...inRun(call) };
  return [{ dedupKey, status: Not('pending') }, { dedupKey, ...wherePending() }, rejected];
}

/** The call in any step of its run. */
function inRun({ runId, tool, argumentsDigest, principalId, application }: CallIdentity): ApprovalWhere {
  return {
    ...equals('runId', runId ?? ''),
    tool: scrubText(tool),
    argumentsDigest,
    principalId: principalId === null ? IsNull() : scrubText(principalId),
    application: application === null ? IsNull() : scrubText(application),
  };
}

/** Removes the keys of overdue calls. They are still pending until they are moved to `expired`, with evidence. */
async function freeOverdueKeys(
  { entities }: Database,
  { manager }: Transaction,
  { principalId }: NewApproval,
  dedupKey: string | null,
): Promise<void> {
  const overdue = whereStuck('overdue');
  const conditions: ApprovalWhere[] = [
    ...(dedupKey === null ? [] : [{ ...overdue, dedupKey }]),
    ...(principalId === null ? [] : [{ ...overdue, principalId, pendingSlot: Not(IsNull()) }]),
  ];
  if (conditions.length === 0) return;
  const freed: ApprovalValues = { dedupKey: null, pendingSlot: null };
  await manager.createQueryBuilder().update(entities.approval).set(freed).where(conditions).execute();
}

/** A free slot of the principal, or `null`. The key is `null` for a call without a principal, which is not counted. */
async function freeSlot(
  database: Database,
  { manager }: Transaction,
  { principalId }: NewApproval,
  maxOpen: number,
): Promise<{ readonly key: string | null } | null> {
  if (principalId === null) return { key: null };
  const where = { ...equals('principalId', principalId), ...wherePending() };
  const select = { id: true, pendingSlot: true } as const;
  const pending = await approvalRows(database, manager).find({ where, select });
  if (pending.length >= maxOpen) return null;
  const taken = new Set(pending.map(({ pendingSlot }) => pendingSlot));
  const owner = hash('sha256', scrubText(principalId));
  const slots = Array.from({ length: maxOpen }, (_, index) => `${owner}#${index + 1}`);
  const free = slots.filter((slot) => !taken.has(slot));
  // The slot is random, so that concurrent calls rarely choose the same.
  const key = free[Math.floor(Math.random() * free.length)];
  return key === undefined ? null : { key };
}

/** The id of the new row; `null` if one of its keys was taken meanwhile. */
async function insert(
  { entities }: Database,
  transaction: Transaction,
  { ttlMs, ...call }: NewApproval,
  dedupKey: string | null,
  pendingSlot: string | null,
): Promise<number | null> {
  const { rows: clock } = await transaction.query<{ now: Date }>(sql`select ${NOW} as now`);
  const createdAt = clock[0]?.now ?? new Date(Number.NaN);
  const values = {
    ...call,
    dedupKey,
    pendingSlot,
    status: 'pending',
    voteCount: 0,
    fence: 0,
    notifyAttempts: 0,
    createdAt,
    expiresAt: new Date(createdAt.getTime() + ttlMs),
  };
  const { raw } = await transaction.manager
    .createQueryBuilder()
    .insert()
    .into(entities.approval)
    .values(values as ApprovalValues)
    .updateEntity(false)
    .orIgnore()
    .returning('id')
    .execute();
  const [row] = raw as { readonly id: string }[];
  return row === undefined ? null : Number(row.id);
}
