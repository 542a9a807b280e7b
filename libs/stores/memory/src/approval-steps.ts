import type {
  Approval,
  ApprovalStatus,
  NewApproval,
  RunEnd,
  RunResult,
} from '../../../contracts/src/approvals.js';
import type { DecideCommand, ResolveCommand } from '../../../contracts/src/approvals.store.js';

/** What the memory holds of an approval beside what it shows. */
export interface HeldApproval extends Approval {
  readonly encryptedToken: string | null;
  readonly told: boolean;
  /** Whoever tells of its outcome has until then. */
  readonly tellingUntil: Date | null;
}

export function shown(held: HeldApproval): Approval {
  const { encryptedToken: _sealed, told: _told, tellingUntil: _until, ...approval } = held;
  return approval;
}

/** The steps of an approval, each a new picture of it: nothing is written here. */
export function parked(call: NewApproval, id: number, now: Date): HeldApproval {
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
    told: false,
    tellingUntil: null,
  };
}

export function decided(held: HeldApproval, command: DecideCommand, now: Date): HeldApproval {
  return {
    ...held,
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

export function expired(held: HeldApproval, now: Date): HeldApproval {
  return { ...held, status: 'expired', encryptedToken: null, finishedAt: now };
}

export function executing(held: HeldApproval, leaseMs: number, now: Date): HeldApproval {
  return { ...held, status: 'executing', fence: held.fence + 1, leaseUntil: later(now, leaseMs) };
}

export function finished(
  held: HeldApproval,
  end: RunEnd | 'superseded',
  run: RunResult,
  now: Date,
): HeldApproval {
  const { error } = run;
  return { ...held, status: end, result: run.result ?? null, error, leaseUntil: null, finishedAt: now };
}

export function superseded(held: HeldApproval, run: RunResult, now: Date): HeldApproval {
  return finished(held, 'superseded', run, now);
}

export function resolved(held: HeldApproval, command: ResolveCommand, now: Date): HeldApproval {
  return {
    ...held,
    status: command.resolution,
    error: command.resolution === 'executed' ? null : held.error,
    resolvedBy: command.actorId,
    resolvedAt: now,
    resolvedReason: command.reason,
    finishedAt: now,
    notifyAttempts: 0,
    told: false,
    tellingUntil: null,
  };
}

/** Waits for a decision, and there is still time for one. */
export function isOpen(approval: Approval, now: Date): boolean {
  return approval.status === 'pending' && approval.expiresAt > now;
}

/** The principal of this call has so many that wait already; one without a principal is counted for nobody. */
export function isCrowded(
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

/** The holder of this fence runs it. */
export function isRunBy(approval: Approval, fence: number): boolean {
  return approval.status === 'executing' && approval.fence === fence;
}

export function isLost(approval: Approval, now: Date): boolean {
  return approval.status === 'executing' && approval.leaseUntil !== null && approval.leaseUntil <= now;
}

/** The same call of the same run, which it would be twice to ask for again. Without a run no two calls are the same. */
export function isSameCall(approval: Approval, call: Approval, now: Date): boolean {
  return (
    !ASKED_AFRESH.has(approval.status) &&
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

const ASKED_AFRESH: ReadonlySet<ApprovalStatus> = new Set(['rejected', 'failed', 'expired', 'superseded']);

export function later(now: Date, milliseconds: number): Date {
  return new Date(now.getTime() + milliseconds);
}
