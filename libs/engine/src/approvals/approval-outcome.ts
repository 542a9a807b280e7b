import {
  OUTCOME_STATUSES,
  type ApprovalOutcome,
  type OutcomeStatus,
} from '../../../contracts/src/approval-outcome.js';
import type { Approval } from '../../../contracts/src/approvals.js';

/** What whoever waited is told; `null` for as long as something can still happen by itself. */
export function outcomeOf(approval: Approval): ApprovalOutcome | null {
  const status = OUTCOME_STATUSES.find((settled) => settled === approval.status);
  if (status === undefined) return null;
  const { id, reference, tool, runId, stepName, principalId, application, result, error, decidedBy, reason } =
    approval;
  return {
    approvalId: id,
    reference,
    status,
    tool,
    runId,
    stepName,
    principalId,
    application,
    result,
    error,
    decidedBy,
    reason,
    message: messageOf(status, reason),
  };
}

/** Fixed sentences: of what was approved, by whom and under which token the model learns nothing. */
function messageOf(status: OutcomeStatus, reason: string | null): string {
  switch (status) {
    case 'executed':
      return 'The call was approved and has run.';
    case 'failed':
      return 'The call was approved, but it failed.';
    case 'outcome_unknown':
      return 'The call was approved, but whether it took effect is not known. Do not try it again.';
    case 'rejected':
      return reason === null ? 'The call was rejected.' : `The call was rejected: ${reason}`;
    case 'expired':
      return 'Nobody decided about the call in time: it did not run.';
    case 'superseded':
      return 'The call did not run, because something changed after it was asked for: it has to be asked for again.';
    default:
      return status satisfies never;
  }
}
