import type { Approval } from '../../../contracts/src/approvals.js';
import { GuardrailsError } from '../../../contracts/src/errors.js';

/** Every way in which a decision is turned down, in words for the operator. */
export const approvalRefusals = {
  unknown: () => new GuardrailsError('not_found', 'No approval has this token.'),
  noApproval: () => new GuardrailsError('not_found', 'No approval has this id.'),
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
  notEnded: ({ status }: Approval) =>
    new GuardrailsError(
      'executing',
      `This call has not ended yet: it is ${status}. There is nothing to settle.`,
    ),
  notUnknown: ({ status, resolvedBy, resolvedAt, ...decided }: Approval) =>
    new GuardrailsError('already_decided', `The outcome of this call is known: it is ${status}.`, {
      details: {
        decision: decided.decision,
        decided_by: decided.decidedBy,
        decided_at: decided.decidedAt?.toISOString() ?? null,
        status,
        resolved_by: resolvedBy,
        resolved_at: resolvedAt?.toISOString() ?? null,
      },
    }),
  alreadyDecided: ({ decision, decidedBy, decidedAt, status }: Approval) =>
    new GuardrailsError('already_decided', `This approval was already ${decision ?? status}.`, {
      details: { decision, decided_by: decidedBy, decided_at: decidedAt?.toISOString() ?? null },
    }),
} as const;
