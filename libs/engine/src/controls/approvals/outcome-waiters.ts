import {
  type Approval,
  type ApprovalOutcome,
  OUTCOME_STATUSES,
  type OutcomeStatus,
} from '#contracts/approvals/approvals.js';
import { GuardrailsError } from '#contracts/common/errors.js';
import type { AbortSignalLike } from '#contracts/firewall/firewall.js';

interface Waiter {
  /** The approval that it waits for. */
  id: number;
  resolve(outcome: ApprovalOutcome): void;
  fail(reason: unknown): void;
}

/** Code on this instance that waits for outcomes. */
export class OutcomeWaiters {
  private readonly waiting = new Map<number, Set<Waiter>>();
  private isClosed = false;

  /** They are called with each approval that has an outcome: after it was delivered, or where no code waits. */
  constructor(
    private readonly onDelivered: (approval: Approval) => void,
    private readonly onUnawaited: (approval: Approval) => void,
  ) {}

  get ids(): readonly number[] {
    return [...this.waiting.keys()];
  }

  wait(id: number, signal?: AbortSignalLike): Promise<ApprovalOutcome> {
    return new Promise((resolve, reject) => {
      if (this.isClosed) return reject(stopped());
      if (signal?.aborted === true) return reject(aborted(signal));
      const end = (): void => {
        signal?.removeEventListener('abort', give);
        this.remove(waiter);
      };
      const give = (): void => {
        end();
        reject(aborted(signal));
      };
      const waiter: Waiter = {
        id,
        resolve: (outcome) => {
          end();
          resolve(outcome);
        },
        fail: (reason) => {
          end();
          reject(reason);
        },
      };
      signal?.addEventListener('abort', give, { once: true });
      this.add(waiter);
    });
  }

  /** Code that waits for a call that was edited waits for the proposal from now on. */
  private follow(id: number, proposalId: number): void {
    for (const waiter of this.waiting.get(id) ?? []) {
      this.remove(waiter);
      waiter.id = proposalId;
      this.add(waiter);
    }
  }

  private add(waiter: Waiter): void {
    this.waiting.set(waiter.id, (this.waiting.get(waiter.id) ?? new Set()).add(waiter));
  }

  /** Does nothing while the approval has no outcome. */
  settle(approval: Approval): void {
    if (approval.supersededBy !== null) return this.follow(approval.id, approval.supersededBy);
    const outcome = outcomeOf(approval);
    if (outcome === null) return;
    const waiting = this.waiting.get(approval.id);
    if (waiting === undefined) return this.onUnawaited(approval);
    for (const waiter of waiting) waiter.resolve(outcome);
    this.onDelivered(approval);
  }

  fail(id: number, reason: unknown): void {
    for (const waiter of this.waiting.get(id) ?? []) waiter.fail(reason);
  }

  /** Rejects all waiting code: this instance will not deliver the outcome. */
  close(): void {
    this.isClosed = true;
    for (const id of this.ids) this.fail(id, stopped());
  }

  private remove(waiter: Waiter): void {
    const others = this.waiting.get(waiter.id);
    others?.delete(waiter);
    if (others?.size === 0) this.waiting.delete(waiter.id);
  }
}

function stopped(): GuardrailsError {
  return new GuardrailsError(
    'hitl_unavailable',
    'This instance stops. The call stays pending; handlers registered by onApprovalOutcome receive its outcome.',
  );
}

function aborted(signal: AbortSignalLike | undefined): unknown {
  return signal?.reason ?? new Error('The wait for the outcome was aborted.');
}

/** The error of a call that was superseded without a change. */
export const NOT_RUN_IN_TIME = {
  code: 'not_run_in_time',
  message:
    'The call was approved, but no instance could run it within hitl.ttl. It did not run; request it again. Check that its tool is registered and that hitl.enabled is set.',
};

const UNRUN = 'The call was approved, but could not be run in time. It did not run; request it again.';

/** The outcome of an approval; `null` while it has none. */
export function outcomeOf(approval: Approval): ApprovalOutcome | null {
  const status = OUTCOME_STATUSES.find((settled) => settled === approval.status);
  // If a proposal replaced the call, the outcome of the proposal counts.
  if (status === undefined || approval.supersededBy !== null) return null;
  const { id, reference, tool, runId, stepName, principalId, application, result, error, decidedBy, reason } =
    approval;
  return {
    approvalId: id,
    firstApprovalId: approval.firstId ?? id,
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

/** Fixed sentences, which contain neither the approver nor the token. */
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
      return 'The call was not decided in time. It did not run. Request it again if it is still wanted.';
    case 'superseded':
      return 'The call did not run, because something changed after it was requested. Request it again.';
    default:
      return status satisfies never;
  }
}
