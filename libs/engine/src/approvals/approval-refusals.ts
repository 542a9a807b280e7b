import type { Approval } from '../../../contracts/src/approvals.js';
import { GuardrailsError } from '../../../contracts/src/errors.js';

/** Every way in which a decision is turned down, in words for the operator. */
export const approvalRefusals = {
  unknown: () => new GuardrailsError('not_found', 'No approval has this token.'),
  expired: () =>
    new GuardrailsError('expired', 'This approval expired before it was decided; the call did not run.'),
  executing: () => new GuardrailsError('executing', 'The approved call is still running.'),
  superseded: () =>
    new GuardrailsError(
      'superseded',
      'The tool, its arguments or the policy changed since the call was parked: it did not run and must be asked for afresh.',
    ),
  selfApproval: () =>
    new GuardrailsError(
      'self_approval',
      'Whoever asked for the call may not approve it; somebody else has to.',
    ),
  unavailable: (why: string) => new GuardrailsError('hitl_unavailable', why),
  alreadyDecided: ({ decision, decidedBy, decidedAt, status }: Approval) =>
    new GuardrailsError('already_decided', `This approval was already ${decision ?? status}.`, {
      details: { decision, decided_by: decidedBy, decided_at: decidedAt?.toISOString() ?? null },
    }),
} as const;
