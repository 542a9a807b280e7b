import { addDecimals, isMore } from '#contracts/common/decimals.js';
import {
  LONGEST_WINDOW_MS,
  type BudgetClaim,
  type BudgetLimit,
  type BudgetState,
  type Reservation,
} from '#contracts/approvals/budgets.js';

interface Reserved extends BudgetClaim {
  readonly reference: string;
  readonly at: number;
}

/** Reservations by budget, oldest first. */
export class BudgetTable {
  private readonly budgets = new Map<string, Reserved[]>();

  states(claims: readonly BudgetClaim[], limits: readonly BudgetLimit[], now: Date): readonly BudgetState[] {
    return limits.map(({ budget, exactBudget = '', windowMs, lte }) => {
      const since = now.getTime() - windowMs;
      const within = [budget, exactBudget]
        .flatMap((key) => this.budgets.get(key) ?? [])
        .filter(({ at }) => at > since);
      const spent = within.reduce((sum, { amount }) => addDecimals(sum, amount), '0');
      const claimed = claims.find((claim) => claim.budget === budget)?.amount ?? '0';
      return { spent, isExceeded: isMore(addDecimals(spent, claimed), lte) };
    });
  }

  reserve({ reference, claims }: Reservation, now: Date): void {
    const at = now.getTime();
    for (const claim of claims) {
      const kept = (this.budgets.get(claim.budget) ?? []).filter((held) => held.at > at - LONGEST_WINDOW_MS);
      this.budgets.set(claim.budget, [...kept, { ...claim, reference, at }]);
    }
  }

  release(reference: string): void {
    this.keep((reserved) => reserved.reference !== reference);
  }

  /** Erases the reservations of a principal. */
  erase(owner: string): void {
    this.keep((reserved) => reserved.owner !== owner);
  }

  private keep(isKept: (reserved: Reserved) => boolean) {
    for (const [budget, reserved] of this.budgets) {
      const kept = reserved.filter(isKept);
      if (kept.length === 0) this.budgets.delete(budget);
      else if (kept.length < reserved.length) this.budgets.set(budget, kept);
    }
  }
}
