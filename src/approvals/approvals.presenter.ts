import type {
  ApprovalDecisionData,
  ApprovalDetailData,
  ApprovalFacts,
  ApprovalHistoryData,
  ApprovalListData,
  ApprovalResolutionData,
  PendingApproval,
} from '#contracts/api/approvals.responses.js';
import {
  RESOLUTIONS,
  type Approval,
  type ApprovalSummary,
  type ApprovalVerdict,
} from '#contracts/approvals.js';
import type { ApprovalService } from '#engine/approvals/approval-service.js';
import type { Page } from '#contracts/page.js';

/** Facts of an approval that its record does not hold. */
type Desk = Pick<ApprovalService, 'tokenOf' | 'warningsOf'>;

export function presentPending(
  { entries, nextCursor }: Page<Approval>,
  desk: Desk,
  now: Date,
): ApprovalListData {
  return {
    pending: entries.map((approval) => presentApproval(approval, desk, now)),
    next_cursor: nextCursor,
  };
}

function presentApproval(approval: Approval, desk: Desk, now: Date): PendingApproval {
  return {
    approval_id: approval.id,
    token: desk.tokenOf(approval),
    run_id: approval.runId,
    step_name: approval.stepName,
    status: approval.status,
    tool: approval.tool,
    arguments: approval.arguments ?? {},
    arguments_digest: approval.argumentsDigest,
    reversible: approval.reversible,
    warnings: desk.warningsOf(approval),
    principal_id: approval.principalId,
    application: approval.application,
    policy_revision: approval.policyRevision,
    created_at: approval.createdAt.toISOString(),
    expires_at: approval.expiresAt.toISOString(),
    requested_ago: ago(approval.createdAt, now),
    expires_in: ahead(approval.expiresAt, now),
  };
}

export function presentDecision(approval: Approval, verdict: ApprovalVerdict): ApprovalDecisionData {
  const { decidedBy, decidedAt } = approval;
  if (decidedBy === null || decidedAt === null) throw new Error('A decided approval has no decision.');
  return {
    decision: approval.decision ?? verdict,
    approval_id: approval.id,
    run_id: approval.runId,
    tool: approval.tool,
    status: approval.status,
    decided_by: decidedBy,
    decided_at: decidedAt.toISOString(),
    result: approval.result ?? null,
    error: approval.error,
  };
}

export function presentHistory({ entries, nextCursor }: Page<ApprovalSummary>): ApprovalHistoryData {
  return { entries: entries.map(presentFacts), next_cursor: nextCursor };
}

export function presentDetail(approval: Approval, desk: Desk): ApprovalDetailData {
  const { arguments: args, result, fence } = approval;
  const facts = { ...presentFacts(approval), warnings: desk.warningsOf(approval) };
  return { approval: { ...facts, arguments: args, result: result ?? null, attempts: fence } };
}

export function presentResolution(approval: Approval): ApprovalResolutionData {
  const { resolvedBy, resolvedAt, resolvedReason } = approval;
  const status = RESOLUTIONS.find((resolution) => resolution === approval.status);
  if (resolvedBy === null || resolvedAt === null || status === undefined)
    throw new Error('A resolved approval has no resolution.');
  return {
    approval_id: approval.id,
    run_id: approval.runId,
    tool: approval.tool,
    status,
    resolved_by: resolvedBy,
    resolved_at: resolvedAt.toISOString(),
    reason: resolvedReason ?? '',
  };
}

function presentFacts(approval: ApprovalSummary): ApprovalFacts {
  return {
    approval_id: approval.id,
    run_id: approval.runId,
    step_name: approval.stepName,
    status: approval.status,
    tool: approval.tool,
    arguments_digest: approval.argumentsDigest,
    reversible: approval.reversible,
    idempotent: approval.idempotent,
    warnings: approval.warnings,
    principal_id: approval.principalId,
    application: approval.application,
    request_id: approval.requestId,
    policy_revision: approval.policyRevision,
    created_at: approval.createdAt.toISOString(),
    expires_at: approval.expiresAt.toISOString(),
    decision: approval.decision,
    decided_by: approval.decidedBy,
    decided_at: approval.decidedAt?.toISOString() ?? null,
    reason: approval.reason,
    finished_at: approval.finishedAt?.toISOString() ?? null,
    resolved_by: approval.resolvedBy,
    resolved_at: approval.resolvedAt?.toISOString() ?? null,
    resolved_reason: approval.resolvedReason,
    error: approval.error,
  };
}

const UNITS = [
  ['second', 1000, 60],
  ['minute', 60_000, 60],
  ['hour', 3_600_000, 24],
  ['day', 86_400_000, Number.POSITIVE_INFINITY],
] as const;

const JUST_NOW_MS = 10_000;

/** `just now`, `2 minutes ago` */
export function ago(since: Date, now: Date): string {
  const elapsed = now.getTime() - since.getTime();
  return elapsed < JUST_NOW_MS ? 'just now' : `${formatDuration(elapsed)} ago`;
}

/** `in 2 hours`, `now` */
export function ahead(until: Date, now: Date): string {
  const left = until.getTime() - now.getTime();
  return left < 500 ? 'now' : `in ${formatDuration(left)}`;
}

function formatDuration(duration: number): string {
  for (const [unit, length, count] of UNITS) {
    const amount = Math.max(1, Math.round(duration / length));
    if (amount < count) return `${amount} ${unit}${amount === 1 ? '' : 's'}`;
  }
  return 'a long time';
}
