import type {
  ApprovalStatus,
  OutcomeStatus,
  RunEnd,
  RunResult,
} from '../../../../contracts/src/approvals.js';
import type { DecideCommand, ResolveCommand } from '../../../../contracts/src/approvals.store.js';
import type { Dialect } from '../dialects/dialect.js';
import type { ApprovalValues } from './transition.js';

/** Ended like this, the same call may be asked for again. */
const ASKED_AFRESH: ReadonlySet<ApprovalStatus> = new Set(['rejected', 'failed', 'expired', 'superseded']);

/** What each step of an approval writes. */
export function ended({ now }: Dialect, status: OutcomeStatus): ApprovalValues {
  return {
    status,
    finishedAt: () => now,
    leaseUntil: null,
    ...(ASKED_AFRESH.has(status) && { openKey: null }),
  };
}

export function decided(
  dialect: Dialect,
  { verdict, actorId, reason, decisionMac }: Omit<DecideCommand, 'evidence'>,
): ApprovalValues {
  return {
    ...(verdict === 'rejected' ? ended(dialect, verdict) : { status: verdict }),
    decision: verdict,
    decidedBy: actorId,
    decidedAt: () => dialect.now,
    reason,
    decisionMac,
    openSlot: null,
    encryptedToken: null,
  };
}

export function expired(dialect: Dialect): ApprovalValues {
  return { ...ended(dialect, 'expired'), openSlot: null, encryptedToken: null };
}

export function executing(dialect: Dialect, leaseMs: number): ApprovalValues {
  return {
    status: 'executing',
    fence: () => 'fence + 1',
    leaseUntil: () => dialect.fromNow(String(leaseMs)),
  };
}

export function finished(
  dialect: Dialect,
  end: RunEnd | 'superseded',
  { result, error }: RunResult,
): ApprovalValues {
  return { ...ended(dialect, end), result: result ?? null, error } as ApprovalValues;
}

export function resolved(dialect: Dialect, { resolution, actorId, reason }: ResolveCommand): ApprovalValues {
  return {
    ...ended(dialect, resolution),
    ...(resolution === 'executed' && { error: null }),
    resolvedBy: actorId,
    resolvedAt: () => dialect.now,
    resolvedReason: reason,
    notifyAttempts: 0,
    toldAt: null,
    tellingUntil: null,
  };
}
