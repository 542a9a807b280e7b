// Calls the handlers of `onApprovalOutcome`, each outcome at least once.
import { isStoreUnavailable, messageOf } from '#contracts/common/errors.js';
import type { Approval, ApprovalOutcome, OutcomeHandler } from '#contracts/approvals/approvals.js';
import { withinTime } from '../../shared/time-limit.js';
import type { ApprovalDependencies } from './approval-dependencies.js';
import { loggableReason } from './approval-errors.js';
import type { ApprovalTransitions } from './approval-transitions.js';
import { outcomeOf } from './approval-outcomes.js';

/** Time that a handler, or waiting code, has for one outcome. */
const HANDLER_MS = 120_000;
/** Waiting code that received an outcome and whose process still runs after this time counts as notified. */
const LIVED_ON_MS = 10_000;
const MAX_CONCURRENT = 50;

const [SECOND, MINUTE, HOUR] = [1000, 60_000, 3_600_000];
/** Delay after each failed attempt; after the last one the outcome is not retried. */
const PAUSES_MS = [5 * SECOND, 30 * SECOND, 2 * MINUTE, 10 * MINUTE, HOUR, 3 * HOUR, 8 * HOUR, 24 * HOUR];

/** Notifies handlers of outcomes that no waiting code on a running instance has received. */
export class OutcomeNotifier {
  private readonly handlers = new Set<OutcomeHandler>();
  private readonly underWay = new Set<Promise<void>>();
  /** Outcomes that waiting code received here, and when. */
  private readonly deliveredToWaiters = new Map<Approval, number>();
  private isStopping = false;

  constructor(private readonly options: ApprovalDependencies & { readonly steps: ApprovalTransitions }) {}

  /** Returns a function that removes the handler. */
  onOutcome(handler: OutcomeHandler): () => void {
    this.handlers.add(handler);
    return () => void this.handlers.delete(handler);
  }

  /** Waiting code here received the outcome: handlers are not notified unless this process stops unexpectedly now. */
  noteDeliveredToWaiter(approval: Approval): void {
    this.deliveredToWaiters.set(approval, this.options.clock.now().getTime());
    this.track(() => this.wait(approval, HANDLER_MS), approval);
  }

  /** This instance stored the outcome, and no code waits for it here. */
  deliverNow(approval: Approval): void {
    if (this.handlers.size > 0) this.track(() => this.deliver(approval.id), approval);
  }

  /** Call every second. Passes due outcomes to the handlers without waiting for them. */
  async deliverDue(): Promise<void> {
    if (this.isStopping) return;
    await this.markWaitersNotified();
    const room = MAX_CONCURRENT - this.underWay.size;
    if (this.handlers.size === 0 || room <= 0) return;
    for (const { id } of await this.options.store.dueNotifications(0, room)) await this.deliver(id);
  }

  private async deliver(id: number): Promise<void> {
    try {
      // The store gives `null` while code on another instance waits for the outcome.
      const claim = { kind: 'claimNotification', leaseMs: HANDLER_MS } as const;
      const approval = this.isStopping ? null : await this.options.steps.take({ id }, claim);
      const outcome = approval === null ? null : outcomeOf(approval);
      if (approval !== null && outcome !== null) this.track(() => this.notify(approval, outcome), approval);
    } catch (error) {
      this.options.diagnostics.warn('an outcome cannot be read; its handlers are not notified', {
        approval: id,
        reason: loggableReason(error),
      });
      if (isStoreUnavailable(error)) throw error;
    }
  }

  beginStop(): void {
    this.isStopping = true;
  }

  /** Resolves when all called handlers have returned. */
  async idle(): Promise<void> {
    while (this.underWay.size > 0) await Promise.all(this.underWay);
  }

  private async notify(approval: Approval, outcome: ApprovalOutcome) {
    try {
      const calls = [...this.handlers].map(async (handler) => handler(outcome));
      await withinTime(Promise.all(calls), HANDLER_MS, { keepsAlive: false });
    } catch (error) {
      return this.retryLater(approval, error);
    }
    await this.end(approval);
  }

  private async retryLater(approval: Approval, error: unknown): Promise<void> {
    const { id, notifyAttempts } = approval;
    const reason = messageOf(error);
    // If an operator resolved the outcome in the meantime, attempts start again, without a pause.
    const pause = PAUSES_MS[Math.max(notifyAttempts, 1) - 1];
    const facts = { approval: id, attempts: notifyAttempts, reason };
    if (pause !== undefined) {
      const again = { ...facts, again_in_seconds: pause / SECOND };
      this.options.diagnostics.warn('a handler failed on an outcome; it will be called again', again);
      return this.wait(approval, pause);
    }
    this.options.diagnostics.warn(
      'handlers failed on an outcome at every attempt; it is not retried. Continue this work manually',
      facts,
    );
    return this.end(approval);
  }

  private async wait(approval: Approval, inMs: number) {
    const { status } = approval;
    await this.options.steps.take(approval, { kind: 'retryNotification', status, inMs });
  }

  private async end(approval: Approval) {
    await this.options.steps.take(approval, { kind: 'markNotified', status: approval.status });
  }

  private async markWaitersNotified() {
    const now = this.options.clock.now().getTime();
    for (const [approval, since] of this.deliveredToWaiters) {
      if (now - since < LIVED_ON_MS) continue;
      await this.end(approval);
      this.deliveredToWaiters.delete(approval);
    }
  }

  /** If this cannot be recorded, handlers are notified as well: at least once. */
  private track(work: () => Promise<void>, { id }: Approval) {
    const followed = work()
      .catch((error: unknown) => {
        const facts = { approval: id, reason: loggableReason(error) };
        this.options.diagnostics.warn(
          'the delivery of an outcome could not be recorded; handlers may be called again',
          facts,
        );
      })
      .finally(() => this.underWay.delete(followed));
    this.underWay.add(followed);
  }
}
