import {
  type Approval,
  type ApprovalStatus,
  type ApprovalSummary,
  OUTCOME_STATUSES,
} from '../../../contracts/src/approvals.js';
import type { ApprovalFilter, StuckKind } from '../../../contracts/src/approvals.store.js';
import { scrubText } from '../../../contracts/src/text.js';
import type { HeldApproval } from './approval-steps.js';

const LONGEST_TOLD_MS = 7 * 24 * 3_600_000;

const SETTLED: ReadonlySet<ApprovalStatus> = new Set(OUTCOME_STATUSES);

export function isSettled({ status }: Approval): boolean {
  return SETTLED.has(status);
}

export function fits(approval: Approval, { status, tool, actor }: ApprovalFilter): boolean {
  if (status === undefined ? approval.status === 'pending' : approval.status !== status) return false;
  if (tool !== undefined && approval.tool !== scrubText(tool)) return false;
  return actor === undefined || [approval.decidedBy, approval.resolvedBy].includes(scrubText(actor));
}

export function summary(approval: Approval): ApprovalSummary {
  const {
    arguments: _arguments,
    result: _result,
    callMac: _seal,
    decisionMac: _decisionSeal,
    ...rest
  } = approval;
  return rest;
}

/** Since when it is stuck in this way; `null` where it is not. */
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

export function isUntold(held: HeldApproval, graceMs: number, now: Date): boolean {
  if (held.told || !isSettled(held) || held.finishedAt === null) return false;
  const age = now.getTime() - held.finishedAt.getTime();
  const free = held.tellingUntil === null || held.tellingUntil <= now;
  return age >= graceMs && age <= LONGEST_TOLD_MS && free;
}
