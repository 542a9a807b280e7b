import { isTransient } from '#contracts/common/errors.js';
import type { ApprovalOutcome } from '#contracts/approvals/approvals.js';
import type { ApprovalStore } from '#contracts/stores/approvals.store.js';
import type { Clock } from '#contracts/common/clock.js';
import type { AbortSignalLike } from '#contracts/firewall/firewall.js';
import type { Diagnostics } from '../../shared/ports.js';
import { approvalErrors, loggableReason } from './approval-errors.js';
import type { ApprovalTransitions } from './approval-transitions.js';
import { outcomeOf, type OutcomeWaiters } from './outcome-waiters.js';

const POLL_MS = 1_000;
const QUERY_BATCH = 500;
/** How long handlers leave an outcome to the code that waits for it, and after how many polls this is renewed. */
const HOLD_MS = 60_000;
const POLLS_PER_HOLD = 20;

interface ApprovalOutcomesOptions {
  readonly store: ApprovalStore;
  readonly waiters: OutcomeWaiters;
  readonly steps: ApprovalTransitions;
  readonly clock: Clock;
  readonly diagnostics: Diagnostics;
}

/**
 * Delivers outcomes to waiting code: immediately for transitions on this instance, by polling the store every
 * second for those of other instances.
 */
export class ApprovalOutcomes {
  /** Expiry times of calls with waiters, so that they expire before the next recovery round. */
  private readonly expiries = new Map<number, Date>();
  /** Calls with waiters that could not be read because the store was unavailable. */
  private readonly unread = new Set<number>();
  private timer: NodeJS.Timeout | null = null;
  private isFailing = false;
  private polls = 0;

  constructor(private readonly options: ApprovalOutcomesOptions) {}

  async waitFor(approvalId: number, signal?: AbortSignalLike): Promise<ApprovalOutcome> {
    const outcome = this.options.waiters.wait(approvalId, signal);
    // The waiter is registered before the lookup, so that no outcome is missed between the two.
    void this.check(approvalId);
    this.schedulePoll();
    // After an abort nothing waits for the outcome any more, so handlers get it at once.
    signal?.addEventListener('abort', () => void this.check(approvalId), { once: true });
    return outcome;
  }

  /** Rejects all waiting code; this instance stops. */
  beginStop(): void {
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
    this.options.waiters.close();
  }

  private async check(approvalId: number): Promise<void> {
    try {
      const approval = await this.options.store.find(approvalId);
      if (approval === null) return this.options.waiters.fail(approvalId, approvalErrors.noApproval());
      if (approval.status === 'pending') this.expiries.set(approvalId, approval.expiresAt);
      if (outcomeOf(approval) === null) {
        const isAwaited = this.options.waiters.ids.includes(approvalId);
        await this.options.store.retryNotification(approvalId, approval.status, isAwaited ? HOLD_MS : 0);
      }
      this.options.waiters.settle(approval);
      if (approval.supersededBy !== null) await this.check(approval.supersededBy);
    } catch (error) {
      // The next poll repeats the lookup.
      if (isTransient(error)) return void this.unread.add(approvalId);
      this.options.diagnostics.warn('an approval whose outcome is awaited cannot be read', {
        approval: approvalId,
        reason: loggableReason(error),
      });
      this.options.waiters.fail(approvalId, approvalErrors.unreadable(error));
    }
  }

  private schedulePoll(): void {
    if (this.timer !== null || this.options.waiters.ids.length === 0) return;
    this.timer = setTimeout(() => {
      void this.poll().finally(() => {
        this.timer = null;
        this.schedulePoll();
      });
    }, POLL_MS);
  }

  private async poll(): Promise<void> {
    const { ids } = this.options.waiters;
    try {
      for (let from = 0; from < ids.length; from += QUERY_BATCH) {
        const settled = await this.options.store.settled(ids.slice(from, from + QUERY_BATCH));
        for (const { id } of settled) await this.check(id);
      }
      // A proposal that replaced an awaited call is read once, because its expiry is not known yet.
      const followed = this.options.waiters.ids.filter(
        (id) => !this.expiries.has(id) && !this.unread.has(id),
      );
      const isRenewal = ++this.polls % POLLS_PER_HOLD === 0;
      const unseen = isRenewal ? this.options.waiters.ids : [...this.unread, ...followed];
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

  private async expireOverdue(): Promise<void> {
    const waiting = new Set(this.options.waiters.ids);
    const now = this.options.clock.now();
    for (const [id, expiresAt] of this.expiries) {
      if (!waiting.has(id)) this.expiries.delete(id);
      // The clock of the store decides whether the call has expired.
      else if (expiresAt <= now) await this.options.steps.expire({ id });
    }
  }
}
