import { isStoreUnavailable } from '../../../contracts/src/errors.js';
import type { Approval, ApprovalOutcome, OutcomeHandler } from '../../../contracts/src/approvals.js';
import type { ApprovalStore } from '../../../contracts/src/approvals.store.js';
import type { Clock } from '../../../contracts/src/clock.js';
import type { Diagnostics } from '../ports.js';
import { withinTime } from '../time-limit.js';
import { reasonOf } from './approval-errors.js';
import { outcomeOf } from './outcome-waiters.js';

/** How long code that waits has to notice an outcome by itself, before a handler is told in its place. */
const GRACE_MS = 5_000;
/** How long a handler, or code that waited, has it for itself. */
const HANDLER_MS = 120_000;
/** Code that was told and lives on for this long has gone on with it. */
const LIVED_ON_MS = 10_000;
const MOST_AT_ONCE = 50;

const [SECOND, MINUTE, HOUR] = [1000, 60_000, 3_600_000];
/** After each telling in vain; after the last one nobody is told any more. */
const PAUSES_MS = [5 * SECOND, 30 * SECOND, 2 * MINUTE, 10 * MINUTE, HOUR, 3 * HOUR, 8 * HOUR, 24 * HOUR];

/** Sees to it that somebody goes on with each outcome: code that waited for it and lives, or a handler that did not throw. */
export class OutcomeNotifier {
  private readonly handlers = new Set<OutcomeHandler>();
  private readonly underWay = new Set<Promise<void>>();
  /** What code that waited here was told, and since when. */
  private readonly deliveredToWaiters = new Map<Approval, number>();
  private isStopping = false;

  constructor(
    private readonly store: ApprovalStore,
    private readonly clock: Clock,
    private readonly diagnostics: Diagnostics,
  ) {}

  /** Answers how to take it back. */
  onOutcome(handler: OutcomeHandler): () => void {
    this.handlers.add(handler);
    return () => void this.handlers.delete(handler);
  }

  /** Code here has waited for it: it is no handler's, unless this process dies now. */
  noteDeliveredToWaiter(approval: Approval): void {
    this.deliveredToWaiters.set(approval, this.clock.now().getTime());
    this.track(async () => void (await this.store.takeOutcome(approval.id, HANDLER_MS)), approval);
  }

  /** To be asked every few seconds. Hands outcomes that nobody took to the handlers, and waits for none of them. */
  async deliverDue(): Promise<void> {
    if (this.isStopping) return;
    await this.markWaitersNotified();
    const room = MOST_AT_ONCE - this.underWay.size;
    if (this.handlers.size === 0 || room <= 0) return;
    for (const { id } of await this.store.untold(GRACE_MS, room)) {
      try {
        const approval = this.isStopping ? null : await this.store.takeOutcome(id, HANDLER_MS);
        const outcome = approval === null ? null : outcomeOf(approval);
        if (approval !== null && outcome !== null) this.track(() => this.notify(approval, outcome), approval);
      } catch (error) {
        this.diagnostics.warn('an outcome cannot be read, and is not told', {
          approval: id,
          reason: reasonOf(error),
        });
        if (isStoreUnavailable(error)) throw error;
      }
    }
  }

  beginStop(): void {
    this.isStopping = true;
  }

  /** Resolves when the handlers that were told have come back. */
  async idle(): Promise<void> {
    await Promise.all(this.underWay);
  }

  private async notify(approval: Approval, outcome: ApprovalOutcome): Promise<void> {
    try {
      const calls = [...this.handlers].map(async (handler) => handler(outcome));
      await withinTime(Promise.all(calls), HANDLER_MS, { keepsAlive: false });
    } catch (error) {
      return this.retryLater(approval, error);
    }
    await this.store.told(approval.id, approval.status);
  }

  private async retryLater(
    { id, status, notifyAttempts: tellings }: Approval,
    error: unknown,
  ): Promise<void> {
    const reason = error instanceof Error ? error.message : 'unknown';
    // None, where an operator has settled it anew meanwhile: that is told from the beginning.
    const pause = PAUSES_MS[Math.max(tellings, 1) - 1];
    if (pause !== undefined) {
      const facts = { approval: id, tellings, again_in_seconds: pause / SECOND, reason };
      this.diagnostics.warn('a handler failed on an outcome, and is told again', facts);
      return this.store.tellAgain(id, status, pause);
    }
    const facts = { approval: id, tellings, reason };
    this.diagnostics.warn(
      'handlers failed on an outcome each time: it is told no more, so go on by hand',
      facts,
    );
    return this.store.told(id, status);
  }

  private async markWaitersNotified(): Promise<void> {
    const now = this.clock.now().getTime();
    for (const [approval, since] of this.deliveredToWaiters) {
      if (now - since < LIVED_ON_MS) continue;
      await this.store.told(approval.id, approval.status);
      this.deliveredToWaiters.delete(approval);
    }
  }

  /** Where this cannot be noted a handler is told as well: told twice is better than not at all. */
  private track(work: () => Promise<void>, { id }: Approval): void {
    const followed = work()
      .catch((error: unknown) => {
        const facts = { approval: id, reason: reasonOf(error) };
        this.diagnostics.warn('that an outcome was told could not be noted', facts);
      })
      .finally(() => this.underWay.delete(followed));
    this.underWay.add(followed);
  }
}
