import type {
  ApprovalDecisionData,
  ApprovalListData,
  PendingApproval,
} from '../../libs/contracts/src/api/api.responses.js';
import type { Approval, ApprovalVerdict } from '../../libs/contracts/src/approvals.js';
import type { Page } from '../../libs/contracts/src/page.js';
import { ago, ahead } from './relative-time.js';

export function presentPending(
  { entries, nextCursor }: Page<Approval>,
  tokenOf: (approval: Approval) => string | null,
  now: Date,
): ApprovalListData {
  return {
    pending: entries.map((approval) => presentApproval(approval, tokenOf(approval), now)),
    next_cursor: nextCursor,
  };
}

function presentApproval(approval: Approval, token: string | null, now: Date): PendingApproval {
  return {
    approval_id: approval.id,
    token,
    run_id: approval.runId,
    step_name: approval.stepName,
    status: approval.status,
    tool: approval.tool,
    arguments: approval.arguments,
    arguments_digest: approval.argumentsDigest,
    reversible: approval.reversible,
    warnings: approval.warnings,
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
  if (decidedBy === null || decidedAt === null) throw new Error('an approval was answered undecided');
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
