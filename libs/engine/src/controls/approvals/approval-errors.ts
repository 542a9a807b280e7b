// The errors of approvals, for the routes and for code of the host.
import type { Approval } from '#contracts/approvals/approvals.js';
import { GuardrailsError, type FieldErrors } from '#contracts/common/errors.js';

export const approvalErrors = {
  unknown: () => new GuardrailsError('not_found', 'No approval has this token.'),
  noApproval: () => new GuardrailsError('not_found', 'No approval has this id.'),
  unreadable: (cause: unknown) =>
    new GuardrailsError(
      'internal',
      'The approval cannot be read: its row or its columns were changed in the database. Restore the row, or reject the approval.',
      { cause },
    ),
  expired: () =>
    new GuardrailsError('expired', 'This approval expired before it was decided; the call did not run.'),
  executing: () => new GuardrailsError('executing', 'The approved call is still running.'),
  superseded: (approval: Approval) =>
    new GuardrailsError(
      'superseded',
      approval.error?.message ??
        editedMessage(approval) ??
        'The tool, its arguments or the policy changed after the call was requested. It did not run; request it again.',
      { details: { ...decisionOn(approval), superseded_by: approval.supersededBy } },
    ),
  changed: (message: string) => new GuardrailsError('superseded', message),
  invalidProposal: (fields: FieldErrors) =>
    new GuardrailsError(
      'invalid_body',
      'This call cannot be proposed. Correct the members listed in fields.',
      {
        fields,
      },
    ),
  selfApproval: () =>
    new GuardrailsError(
      'self_approval',
      'The requester cannot approve this call. Another person has to approve it.',
    ),
  requesterUnknown: () =>
    new GuardrailsError(
      'self_approval',
      'The requester is unknown, so the server cannot check that the approver is another person. Reject the call, and pass `principalId` in the tool context.',
    ),
  notInGroup: (group: string | null) =>
    new GuardrailsError('forbidden', `Only members of the approver group ${group} can decide this call.`),
  approverCheckFailed: (cause: unknown) =>
    new GuardrailsError(
      'approver_check_failed',
      'The approver group of this call could not be checked, so nothing was changed. Try again later.',
      { cause },
    ),
  reasonRequired: () =>
    new GuardrailsError('invalid_body', 'The policy of this call requires a reason.', {
      fields: { reason: ['is required by the policy of this call'] },
    }),
  unavailable: (why: string) => new GuardrailsError('hitl_unavailable', why),
  notEnded: ({ status }: Approval) =>
    new GuardrailsError(
      'executing',
      `This call is ${status} and has no outcome yet, so it cannot be resolved.`,
    ),
  notUnknown: (approval: Approval) =>
    new GuardrailsError('already_decided', `The outcome of this call is known: it is ${approval.status}.`, {
      details: {
        ...decisionOn(approval),
        status: approval.status,
        resolved_by: approval.resolvedBy,
        resolved_at: approval.resolvedAt?.toISOString() ?? null,
      },
    }),
  alreadyDecided: (approval: Approval) =>
    new GuardrailsError(
      'already_decided',
      `This approval was already ${approval.decision ?? approval.status}.`,
      { details: decisionOn(approval) },
    ),
} as const;

function editedMessage({ supersededBy }: Approval) {
  return supersededBy === null
    ? null
    : `An operator edited this call. Approval ${supersededBy} waits in its place.`;
}

/** The earlier decision, for the caller who was late. */
function decisionOn({ decision, decidedBy, decidedAt }: Approval): Readonly<Record<string, string | null>> {
  return { decision, decided_by: decidedBy, decided_at: decidedAt?.toISOString() ?? null };
}

/** For the log: errors of other libraries may contain values of the row. */
export function loggableReason(error: unknown): string {
  if (error instanceof GuardrailsError) return error.message;
  return error instanceof Error ? `${error.name}: the row cannot be read or written` : 'unknown';
}
