import type { Approval } from '../../../contracts/src/approvals.js';
import { GuardrailsError } from '../../../contracts/src/errors.js';

/** Every way in which a decision is turned down, in words for the operator. */
export const approvalErrors = {
  unknown: () => new GuardrailsError('not_found', 'No approval has this token.'),
  noApproval: () => new GuardrailsError('not_found', 'No approval has this id.'),
  unreadable: (cause: unknown) =>
    new GuardrailsError(
      'internal',
      'The approval cannot be read: somebody changed its row in the database, or its columns. Look there.',
      { cause },
    ),
  expired: () =>
    new GuardrailsError('expired', 'This approval expired before it was decided; the call did not run.'),
  executing: () => new GuardrailsError('executing', 'The approved call is still running.'),
  superseded: (approval: Approval) =>
    new GuardrailsError(
      'superseded',
      approval.error?.message ??
        'The tool, its arguments or the policy changed since the call was parked: it did not run and must be asked for afresh.',
      { details: decisionOn(approval) },
    ),
  selfApproval: () =>
    new GuardrailsError(
      'self_approval',
      'Whoever asked for the call may not approve it; somebody else has to.',
    ),
  requesterUnknown: () =>
    new GuardrailsError(
      'self_approval',
      'Nobody knows who asked for the call, so nobody can be told to be somebody else: it can only be rejected. Calls that two people have to agree on need a principalId.',
    ),
  unavailable: (why: string) => new GuardrailsError('hitl_unavailable', why),
  notEnded: ({ status }: Approval) =>
    new GuardrailsError(
      'executing',
      `This call has not ended yet: it is ${status}. There is nothing to settle.`,
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

/** Who was first: whoever lost is told. */
function decisionOn({ decision, decidedBy, decidedAt }: Approval): Readonly<Record<string, string | null>> {
  return { decision, decided_by: decidedBy, decided_at: decidedAt?.toISOString() ?? null };
}

/** For the log: an error that is not ours may hold what a row held. */
export function reasonOf(error: unknown): string {
  if (error instanceof GuardrailsError) return error.message;
  return error instanceof Error ? `${error.name}: it cannot be read or written as it is` : 'unknown';
}
