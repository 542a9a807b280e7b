import { hash } from 'node:crypto';
import { IsNull, Not, type EntityManager } from 'typeorm';
import type { Approval, NewApproval } from '#contracts/approvals/approvals.js';
import type { BuildEvidence, CallIdentity } from '#contracts/stores/approvals.store.js';
import { GuardrailsError } from '#contracts/common/errors.js';
import { scrubText } from '#contracts/common/text.js';
import { begin, next } from '#engine/controls/approvals/life-cycle.js';
import { appendDecision } from '../audit/decision-writer.js';
import type { Transaction } from '../database/connection-pool.js';
import type { Database } from '../database/database.js';
import { NOW, sql } from '../database/sql.js';
import { equals, wherePending, whereStuck, type ApprovalWhere } from './approval-lists.js';
import {
  approvalRows,
  allWithVotes,
  currentHistory,
  lockApproval,
  saveApproval,
  storedApproval,
  type ApprovalKeys,
  type ApprovalValues,
} from './approval-rows.js';

type Parked = { readonly approval: Approval; readonly created: boolean } | null;

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
  const dedupKey = dedupKeyOf(call);
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    // Every attempt frees them, because calls may expire in the meantime.
    await freeOverdueKeys(database, transaction, call, dedupKey);
    const existing = await findSameCall(database, transaction.manager, call);
    if (existing !== null) return { approval: existing, created: false };
    const slot = await freeSlot(database, transaction, call, maxOpen);
    if (slot === null) return null;
    const { rows } = await transaction.query<{ now: Date }>(sql`select ${NOW} as now`);
    const now = rows[0]?.now ?? new Date(Number.NaN);
    const keys = { dedupKey, pendingSlot: slot.key };
    const stored = await insert(database, transaction, call, now, keys);
    if (stored !== null)
      return {
        approval: await recordNew(database, transaction, stored, 'parked', evidence, currentHistory),
        created: true,
      };
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
  return firstOf(database, manager, where, 'ASC');
}

/** The newest approval under which the call was requested. A proposal is no request of the model. */
export async function findLastCall(
  database: Database,
  manager: EntityManager,
  call: CallIdentity,
): Promise<Approval | null> {
  if (call.runId === null) return null;
  const where = { ...inRun(call), stepName: scrubText(call.stepName), firstId: IsNull() };
  return firstOf(database, manager, where, 'DESC');
}

async function firstOf(
  database: Database,
  manager: EntityManager,
  where: ApprovalWhere | ApprovalWhere[],
  order: 'ASC' | 'DESC',
): Promise<Approval | null> {
  const rows = await approvalRows(database, { manager }).find({ where, order: { id: order }, take: 1 });
  return (await allWithVotes(database, manager, rows))[0] ?? null;
}

/**
 * Replaces a pending call by another one, which takes over its keys: the same request of the model finds the new call,
 * and the principal has no more pending calls than before.
 */
export async function proposeCall(
  database: Database,
  transaction: Transaction,
  id: number,
  call: NewApproval,
  evidence: BuildEvidence,
): Promise<{ readonly superseded: Approval; readonly proposed: Approval } | null> {
  const locked = await lockApproval(database, transaction, id);
  if (locked === null) return null;
  const { row, keys, now } = locked;
  const result = next(row, { kind: 'replace' }, now);
  if (result.kind === 'refused') return null;
  // The keys are free once the row is saved.
  const saved = await saveApproval(database, transaction, row, result.row);
  const stored = await insert(database, transaction, call, now, keys);
  if (stored === null)
    throw GuardrailsError.storeUnavailable(new Error('The proposal could not be inserted. Try again.'));
  const supersededBy = stored.id;
  await approvalRows(database, transaction).update({ id }, { supersededBy });
  const superseded = { ...saved, supersededBy };
  await appendDecision(transaction, database, evidence(superseded, 'superseded'));
  const history = row.isRestored ? keys.decidedIn : currentHistory;
  const proposed = await recordNew(database, transaction, stored, 'proposed', evidence, history);
  return { superseded, proposed };
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
  database: Database,
  transaction: Transaction,
  { principalId }: NewApproval,
  dedupKey: string | null,
) {
  const overdue = whereStuck('overdue');
  const conditions: ApprovalWhere[] = [
    ...(dedupKey === null ? [] : [{ ...overdue, dedupKey }]),
    ...(principalId === null ? [] : [{ ...overdue, principalId, pendingSlot: Not(IsNull()) }]),
  ];
  if (conditions.length === 0) return;
  const freed: ApprovalValues = { dedupKey: null, pendingSlot: null };
  const update = approvalRows(database, transaction).createQueryBuilder().update();
  await update.set(freed).where(conditions).execute();
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
  const pending = await approvalRows(database, { manager }).find({ where, select });
  if (pending.length >= maxOpen) return null;
  const taken = new Set(pending.map(({ pendingSlot }) => pendingSlot));
  const owner = hash('sha256', scrubText(principalId));
  const slots = Array.from({ length: maxOpen }, (_, index) => `${owner}#${index + 1}`);
  const free = slots.filter((slot) => !taken.has(slot));
  // The slot is random, so that concurrent calls rarely choose the same.
  const key = free[Math.floor(Math.random() * free.length)];
  return key === undefined ? null : { key };
}

/** The new approval; `null` if one of its keys was taken meanwhile. */
async function insert(
  database: Database,
  transaction: Transaction,
  call: NewApproval,
  now: Date,
  { dedupKey, pendingSlot }: Pick<ApprovalKeys, 'dedupKey' | 'pendingSlot'>,
): Promise<Approval | null> {
  const { votes, isRestored: _isRestored, ...columns } = begin(call, now);
  const rows = approvalRows(database, transaction);
  const { raw } = await rows
    .createQueryBuilder()
    .insert()
    .values({ ...columns, dedupKey, pendingSlot } as ApprovalValues)
    .updateEntity(false)
    .orIgnore()
    .returning('*')
    .execute();
  const [row] = raw as readonly object[];
  return row === undefined ? null : storedApproval(rows, row, votes);
}

/** Writes the evidence of a new call, and what depends on the row: its entry and its history. */
async function recordNew(
  database: Database,
  transaction: Transaction,
  approval: Approval,
  step: 'parked' | 'proposed',
  evidence: BuildEvidence,
  decidedIn: string | null | (() => string),
): Promise<Approval> {
  const auditId = await appendDecision(transaction, database, evidence(approval, step));
  await approvalRows(database, transaction).update({ id: approval.id }, { auditId, decidedIn });
  return { ...approval, auditId };
}
