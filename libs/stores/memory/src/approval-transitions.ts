import {
  type Approval,
  type ApprovalStatus,
  type NewApproval,
  type RunEnd,
  type RunResult,
  type ApprovalSummary,
  OUTCOME_STATUSES,
} from '#contracts/approvals.js';
import type { DecideCommand, ResolveCommand, ApprovalFilter, StuckKind } from '#contracts/approvals.store.js';
import { scrubText } from '#contracts/text.js';

/** An approval with the columns that only the store reads. */
export interface ApprovalRow extends Approval {
  readonly encryptedToken: string | null;
  readonly notified: boolean;
  readonly notifyLeaseUntil: Date | null;
}

export function approvalOf(row: ApprovalRow): Approval {
  const { encryptedToken: _sealed, notified: _notified, notifyLeaseUntil: _until, ...approval } = row;
  return approval;
}

export function park(call: NewApproval, id: number, now: Date): ApprovalRow {
  const { ttlMs, ...kept } = call;
  return {
    ...kept,
    id,
    status: 'pending',
    createdAt: now,
    expiresAt: later(now, ttlMs),
    decision: null,
    decidedBy: null,
    decidedAt: null,
    reason: null,
    decisionMac: null,
    fence: 0,
    leaseUntil: null,
    finishedAt: null,
    resolvedBy: null,
    resolvedAt: null,
    resolvedReason: null,
    result: null,
    error: null,
    notifyAttempts: 0,
    notified: false,
    notifyLeaseUntil: null,
  };
}

export function decide(row: ApprovalRow, command: DecideCommand, now: Date): ApprovalRow {
  return {
    ...row,
    status: command.verdict,
    decision: command.verdict,
    decidedBy: command.actorId,
    decidedAt: now,
    reason: command.reason,
    decisionMac: command.decisionMac,
    encryptedToken: null,
    finishedAt: command.verdict === 'rejected' ? now : null,
  };
}

export function expire(row: ApprovalRow, now: Date): ApprovalRow {
  return { ...row, status: 'expired', encryptedToken: null, finishedAt: now };
}

export function execute(row: ApprovalRow, leaseMs: number, now: Date): ApprovalRow {
  return { ...row, status: 'executing', fence: row.fence + 1, leaseUntil: later(now, leaseMs) };
}

export function finish(row: ApprovalRow, end: RunEnd | 'superseded', run: RunResult, now: Date): ApprovalRow {
  const { error } = run;
  return { ...row, status: end, result: run.result ?? null, error, leaseUntil: null, finishedAt: now };
}

export function supersede(row: ApprovalRow, run: RunResult, now: Date): ApprovalRow {
  return finish(row, 'superseded', run, now);
}

export function resolve(row: ApprovalRow, command: ResolveCommand, now: Date): ApprovalRow {
  return {
    ...row,
    status: command.resolution,
    error: command.resolution === 'executed' ? null : row.error,
    resolvedBy: command.actorId,
    resolvedAt: now,
    resolvedReason: command.reason,
    finishedAt: now,
    notifyAttempts: 0,
    notified: false,
    notifyLeaseUntil: null,
  };
}

export function isOpen(approval: Approval, now: Date): boolean {
  return approval.status === 'pending' && approval.expiresAt > now;
}

/** Calls without a principal have no limit. */
export function hasTooManyPending(
  others: readonly Approval[],
  { principalId }: Approval,
  maxOpen: number,
  now: Date,
): boolean {
  if (principalId === null) return false;
  return others.filter((other) => other.principalId === principalId && isOpen(other, now)).length >= maxOpen;
}

export function isOverdue(approval: Approval, now: Date): boolean {
  return approval.status === 'pending' && approval.expiresAt <= now;
}

export function isRunBy(approval: Approval, fence: number): boolean {
  return approval.status === 'executing' && approval.fence === fence;
}

export function isLost(approval: Approval, now: Date): boolean {
  return approval.status === 'executing' && approval.leaseUntil !== null && approval.leaseUntil <= now;
}

/** Two parked calls are one approval if they are the same call of the same run. Without a run they always differ. */
export function isSameCall(approval: Approval, call: Approval, now: Date): boolean {
  return (
    !REPEATABLE_STATUSES.has(approval.status) &&
    !isOverdue(approval, now) &&
    approval.runId !== null &&
    approval.runId === call.runId &&
    approval.stepName === call.stepName &&
    approval.tool === call.tool &&
    approval.principalId === call.principalId &&
    approval.application === call.application &&
    approval.argumentsDigest === call.argumentsDigest
  );
}

const REPEATABLE_STATUSES: ReadonlySet<ApprovalStatus> = new Set([
  'rejected',
  'failed',
  'expired',
  'superseded',
]);

export function later(now: Date, milliseconds: number): Date {
  return new Date(now.getTime() + milliseconds);
}

const MAX_NOTIFICATION_AGE_MS = 7 * 24 * 3_600_000;

const SETTLED: ReadonlySet<ApprovalStatus> = new Set(OUTCOME_STATUSES);

export function isSettled({ status }: Approval): boolean {
  return SETTLED.has(status);
}

export function matchesFilter(approval: Approval, { status, tool, actor }: ApprovalFilter): boolean {
  if (status === undefined ? approval.status === 'pending' : approval.status !== status) return false;
  if (tool !== undefined && approval.tool !== scrubText(tool)) return false;
  return actor === undefined || [approval.decidedBy, approval.resolvedBy].includes(scrubText(actor));
}

export function summary(approval: Approval): ApprovalSummary {
  const {
    arguments: _arguments,
    result: _result,
    callMac: _callMac,
    decisionMac: _decisionMac,
    ...rest
  } = approval;
  return rest;
}

/** When the approval got stuck, or `null` if it is not stuck in this way. */
function stuckSince(approval: Approval, kind: StuckKind): Date | null {
  switch (kind) {
    case 'overdue':
      return approval.status === 'pending' ? approval.expiresAt : null;
    case 'unrun':
      return approval.status === 'approved' ? approval.decidedAt : null;
    case 'lost':
      return approval.status === 'executing' ? approval.leaseUntil : null;
    default:
      return kind satisfies never;
  }
}

export function isStuck(approval: Approval, kind: StuckKind, forMs: number, now: Date): boolean {
  const since = stuckSince(approval, kind);
  return since !== null && since.getTime() + forMs <= now.getTime();
}

export function isDueForNotification(row: ApprovalRow, graceMs: number, now: Date): boolean {
  if (row.notified || !isSettled(row) || row.finishedAt === null) return false;
  const age = now.getTime() - row.finishedAt.getTime();
  const free = row.notifyLeaseUntil === null || row.notifyLeaseUntil <= now;
  return age >= graceMs && age <= MAX_NOTIFICATION_AGE_MS && free;
}
