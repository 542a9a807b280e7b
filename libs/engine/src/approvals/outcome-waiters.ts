import {
  type Approval,
  type ApprovalOutcome,
  OUTCOME_STATUSES,
  type OutcomeStatus,
} from '../../../contracts/src/approvals.js';
import { GuardrailsError } from '../../../contracts/src/errors.js';
import type { AbortSignalLike } from '../../../contracts/src/firewall.js';

interface Waiter {
  resolve(outcome: ApprovalOutcome): void;
  fail(reason: unknown): void;
}

/** The code on this instance that waits for the outcome of a call. */
export class OutcomeWaiters {
  private readonly waiting = new Map<number, Set<Waiter>>();
  private isClosed = false;

  /** `taken` hears of each outcome that somebody here waited for. */
  constructor(private readonly taken: (approval: Approval) => void) {}

  get ids(): readonly number[] {
    return [...this.waiting.keys()];
  }

  wait(id: number, signal?: AbortSignalLike): Promise<ApprovalOutcome> {
    return new Promise((resolve, reject) => {
      if (this.isClosed) return reject(stopped());
      if (signal?.aborted === true) return reject(aborted(signal));
      const end = (): void => {
        signal?.removeEventListener('abort', give);
        this.remove(id, waiter);
      };
      const give = (): void => {
        end();
        reject(aborted(signal));
      };
      const waiter: Waiter = {
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
      this.waiting.set(id, (this.waiting.get(id) ?? new Set()).add(waiter));
    });
  }

  /** Does nothing for as long as the approval can still go on by itself. */
  settle(approval: Approval): void {
    const outcome = this.waiting.has(approval.id) ? outcomeOf(approval) : null;
    if (outcome === null) return;
    for (const waiter of this.waiting.get(approval.id) ?? []) waiter.resolve(outcome);
    this.taken(approval);
  }

  fail(id: number, reason: unknown): void {
    for (const waiter of this.waiting.get(id) ?? []) waiter.fail(reason);
  }

  /** Whoever still waits is told that this instance will not tell the outcome. */
  close(): void {
    this.isClosed = true;
    for (const id of this.ids) this.fail(id, stopped());
  }

  private remove(id: number, waiter: Waiter): void {
    const others = this.waiting.get(id);
    others?.delete(waiter);
    if (others?.size === 0) this.waiting.delete(id);
  }
}

function stopped(): GuardrailsError {
  return new GuardrailsError(
    'hitl_unavailable',
    'This instance stops. The call waits on; its outcome is told to the handler given to onApprovalOutcome.',
  );
}

function aborted(signal: AbortSignalLike | undefined): unknown {
  return signal?.reason ?? new Error('The wait for the outcome was aborted.');
}

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
