import type {
  Approval,
  DecideCommand,
  NewApproval,
  RunEnd,
  RunResult,
} from '../../../contracts/src/approvals.js';

/** The steps of an approval, each a new picture of it: nothing is written here. */
export function parked(call: NewApproval, id: number, now: Date): Approval {
  const { ttlMs, ...kept } = call;
  return {
    ...kept,
    id,
    status: 'pending',
    createdAt: now,
    expiresAt: new Date(now.getTime() + ttlMs),
    decision: null,
    decidedBy: null,
    decidedAt: null,
    reason: null,
    finishedAt: null,
    result: null,
    error: null,
  };
}

export function decided(approval: Approval, command: DecideCommand, now: Date): Approval {
  return {
    ...approval,
    status: command.verdict,
    decision: command.verdict,
    decidedBy: command.actor.id,
    decidedAt: now,
    reason: command.reason,
  };
}

export function expired(approval: Approval): Approval {
  return { ...approval, status: 'expired' };
}

export function executing(approval: Approval): Approval {
  return { ...approval, status: 'executing' };
}

export function finished(approval: Approval, end: RunEnd, run: RunResult, now: Date): Approval {
  return { ...approval, status: end, result: run.result ?? null, error: run.error, finishedAt: now };
}

/** A run in progress ends in any way; an approved call that has not begun can only be superseded. */
export function mayFinish(approval: Approval, end: RunEnd): boolean {
  return approval.status === 'executing' || (approval.status === 'approved' && end === 'superseded');
}

/** Waits for a decision, and there is still time for one. */
export function isOpen(approval: Approval, now: Date): boolean {
  return approval.status === 'pending' && approval.expiresAt > now;
}

/** The same call of the same run. Without a run no two calls are the same. */
export function isSameCall(approval: Approval, call: Approval): boolean {
  return (
    approval.runId !== null &&
    approval.runId === call.runId &&
    approval.stepName === call.stepName &&
    approval.tool === call.tool &&
    approval.argumentsDigest === call.argumentsDigest
  );
}
