import type { ApprovalOutcome } from '../../../contracts/src/approval-outcome.js';
import type { Approval } from '../../../contracts/src/approvals.js';
import { GuardrailsError } from '../../../contracts/src/errors.js';
import type { AbortSignalLike } from '../../../contracts/src/firewall.js';
import { outcomeOf } from './approval-outcome.js';

interface Waiter {
  tell(outcome: ApprovalOutcome): void;
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
        this.forget(id, waiter);
      };
      const give = (): void => {
        end();
        reject(aborted(signal));
      };
      const waiter: Waiter = {
        tell: (outcome) => {
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
    for (const waiter of this.waiting.get(approval.id) ?? []) waiter.tell(outcome);
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

  private forget(id: number, waiter: Waiter): void {
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
