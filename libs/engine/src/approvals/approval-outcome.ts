import {
  OUTCOME_STATUSES,
  type ApprovalOutcome,
  type OutcomeStatus,
} from '../../../contracts/src/approval-outcome.js';
import type { Approval } from '../../../contracts/src/approvals.js';

/** Why a call that was approved is superseded though nothing changed. */
export const NOT_RUN_IN_TIME = {
  code: 'not_run_in_time',
  message:
    'The call was approved, but no instance could run it while the decision was good (hitl.ttl): it did not run and must be asked for afresh. Its tool may not be registered anywhere, or the bridge was off.',
};

const UNRUN =
  'The call was approved, but could not be run in time: it did not run, and has to be asked for again.';

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
    message: error?.code === NOT_RUN_IN_TIME.code ? UNRUN : messageOf(status, reason),
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
