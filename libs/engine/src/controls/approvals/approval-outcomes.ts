// Delivers outcomes to the code that waits for them, and says what the outcome of an approval is.
import { GuardrailsError, isTransient } from '#contracts/common/errors.js';
import {
  OUTCOME_STATUSES,
  type Approval,
  type ApprovalOutcome,
  type OutcomeStatus,
} from '#contracts/approvals/approvals.js';
import type { AbortSignalLike } from '#contracts/firewall/firewall.js';
import type { ApprovalDependencies } from './approval-dependencies.js';
import { approvalErrors, loggableReason } from './approval-errors.js';
import type { ApprovalTransitions } from './approval-transitions.js';

const POLL_MS = 1_000;
const QUERY_BATCH = 500;
/** How long handlers leave an outcome to the code that waits for it, and after how many polls this is renewed. */
const HOLD_MS = 60_000;
const POLLS_PER_HOLD = 20;

interface Waiter {
  /** The approval that it waits for. */
  id: number;
  resolve(outcome: ApprovalOutcome): void;
  fail(reason: unknown): void;
}

/**
 * Code on this instance that waits for outcomes. It gets them immediately after transitions on this instance, and by
 * polling the store every second after those of other instances.
 */
export class ApprovalOutcomes {
  private readonly waiting = new Map<number, Set<Waiter>>();
  /** Expiry times of calls with waiters, so that they expire before the next recovery round. */
  private readonly expiries = new Map<number, Date>();
  /** Calls with waiters that could not be read because the store was unavailable. */
  private readonly unread = new Set<number>();
  private timer: NodeJS.Timeout | null = null;
  private isStopping = false;
  private isFailing = false;
  private polls = 0;

  constructor(
    private readonly options: ApprovalDependencies & {
      readonly steps: ApprovalTransitions;
      /** They are called with each approval that has an outcome: after it was delivered, or where no code waits. */
      readonly onDelivered: (approval: Approval) => void;
      readonly onUnawaited: (approval: Approval) => void;
    },
  ) {}

  async waitFor(approvalId: number, signal?: AbortSignalLike): Promise<ApprovalOutcome> {
    const outcome = this.wait(approvalId, signal);
    // The waiter is registered before the lookup, so that no outcome is missed between the two.
    void this.check(approvalId);
    this.schedulePoll();
    // After an abort nothing waits for the outcome any more, so handlers get it at once.
    signal?.addEventListener('abort', () => void this.check(approvalId), { once: true });
    return outcome;
  }

  /** Called after each transition. Does nothing while the approval has no outcome. */
  settle(approval: Approval): void {
    if (approval.supersededBy !== null) return this.follow(approval.id, approval.supersededBy);
    const outcome = outcomeOf(approval);
    if (outcome === null) return;
    const waiting = this.waiting.get(approval.id);
    if (waiting === undefined) return this.options.onUnawaited(approval);
    for (const waiter of waiting) waiter.resolve(outcome);
    this.options.onDelivered(approval);
  }

  /** Rejects all waiting code: this instance stops, and will not deliver the outcome. */
  beginStop(): void {
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
    this.isStopping = true;
    for (const id of this.awaited()) this.fail(id, stopped());
  }

  private awaited(): readonly number[] {
    return [...this.waiting.keys()];
  }

  private wait(id: number, signal?: AbortSignalLike): Promise<ApprovalOutcome> {
    return new Promise((resolve, reject) => {
      if (this.isStopping) return reject(stopped());
      if (signal?.aborted === true) return reject(aborted(signal));
      const end = () => {
        signal?.removeEventListener('abort', onAbort);
        this.remove(waiter);
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
      const onAbort = () => waiter.fail(aborted(signal));
      signal?.addEventListener('abort', onAbort, { once: true });
      this.add(waiter);
    });
  }

  /** Code that waits for a call that was edited waits for the proposal from now on. */
  private follow(id: number, proposalId: number) {
    for (const waiter of this.waiting.get(id) ?? []) {
      this.remove(waiter);
      waiter.id = proposalId;
      this.add(waiter);
    }
  }

  private add(waiter: Waiter) {
    this.waiting.set(waiter.id, (this.waiting.get(waiter.id) ?? new Set()).add(waiter));
  }

  private remove(waiter: Waiter) {
    const others = this.waiting.get(waiter.id);
    others?.delete(waiter);
    if (others?.size === 0) this.waiting.delete(waiter.id);
  }

  private fail(id: number, reason: unknown) {
    for (const waiter of this.waiting.get(id) ?? []) waiter.fail(reason);
  }

  private async check(approvalId: number) {
    try {
      const approval = await this.options.store.find(approvalId);
      if (approval === null) return this.fail(approvalId, approvalErrors.noApproval());
      if (approval.status === 'pending') this.expiries.set(approvalId, approval.expiresAt);
      if (outcomeOf(approval) === null) {
        const inMs = this.waiting.has(approvalId) ? HOLD_MS : 0;
        const { status } = approval;
        await this.options.steps.take(approval, { kind: 'retryNotification', status, inMs });
      }
      this.settle(approval);
      if (approval.supersededBy !== null) await this.check(approval.supersededBy);
    } catch (error) {
      // The next poll repeats the lookup.
      if (isTransient(error)) return void this.unread.add(approvalId);
      this.options.diagnostics.warn('an approval whose outcome is awaited cannot be read', {
        approval: approvalId,
        reason: loggableReason(error),
      });
      this.fail(approvalId, approvalErrors.unreadable(error));
    }
  }

  private schedulePoll() {
    if (this.timer !== null || this.waiting.size === 0) return;
    this.timer = setTimeout(() => {
      void this.poll().finally(() => {
        this.timer = null;
        this.schedulePoll();
      });
    }, POLL_MS);
  }

  private async poll() {
    const ids = this.awaited();
    try {
      for (let from = 0; from < ids.length; from += QUERY_BATCH) {
        const settled = await this.options.store.settled(ids.slice(from, from + QUERY_BATCH));
        for (const { id } of settled) await this.check(id);
      }
      // A proposal that replaced an awaited call is read once, because its expiry is not known yet.
      const followed = this.awaited().filter((id) => !this.expiries.has(id) && !this.unread.has(id));
      const isRenewal = ++this.polls % POLLS_PER_HOLD === 0;
      const unseen = isRenewal ? this.awaited() : [...this.unread, ...followed];
      this.unread.clear();
      for (const id of unseen) await this.check(id);
      await this.expireOverdue();
      this.isFailing = false;
    } catch (error) {
      if (!this.isFailing)
        this.options.diagnostics.warn('outcomes of approvals cannot be read; trying again every second', {
          reason: loggableReason(error),
        });
      this.isFailing = true;
    }
  }

  private async expireOverdue() {
    const now = this.options.clock.now();
    for (const [id, expiresAt] of this.expiries) {
      if (!this.waiting.has(id)) this.expiries.delete(id);
      // The clock of the store decides whether the call has expired.
      else if (expiresAt <= now) await this.options.steps.take({ id }, { kind: 'expire' });
    }
  }
}

function stopped() {
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
