import type { ApprovalOutcome } from '../../../contracts/src/approval-outcome.js';
import type { Approval } from '../../../contracts/src/approvals.js';
import type { AbortSignalLike, ParkedCall, ToolCallOutcome } from '../../../contracts/src/firewall.js';
import type { ApprovalOutcomes } from './approval-outcomes.js';

/** A class, so that what it can do stays behind where the facts are copied, compared or written as JSON. */
class WaitingCall implements ParkedCall {
  readonly #outcomes: ApprovalOutcomes;

  constructor(
    readonly approvalId: number,
    readonly reference: string,
    readonly expiresAt: Date,
    outcomes: ApprovalOutcomes,
  ) {
    this.#outcomes = outcomes;
  }

  outcome(signal?: AbortSignalLike): Promise<ApprovalOutcome> {
    return this.#outcomes.of(this.approvalId, signal);
  }
}

/** What the caller of a guarded tool gets for a parked call, and what the model may be told of it. */
export function parkedOutcome(
  { id, reference, expiresAt, status }: Approval,
  outcomes: ApprovalOutcomes,
): Extract<ToolCallOutcome<never>, { status: 'parked' }> {
  const what =
    status === 'pending' ? 'The call waits for a human decision.' : 'This very call was decided before.';
  return {
    status: 'parked',
    parked: new WaitingCall(id, reference, expiresAt, outcomes),
    message: `${what} Reference: ${reference}.`,
  };
}
