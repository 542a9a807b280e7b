import type { Decision } from '#contracts/audit.js';
import { BudgetStore } from '#contracts/budgets.store.js';
import type { BudgetClaim, BudgetLimit, BudgetState, Reservation } from '#contracts/budgets.js';
import type { Clock } from '#contracts/clock.js';
import { copyOf, type MemoryTables } from './memory-tables.js';

export class MemoryBudgetStore extends BudgetStore {
  constructor(
    private readonly tables: MemoryTables,
    private readonly clock: Clock,
  ) {
    super();
  }

  override async states(
    claims: readonly BudgetClaim[],
    limits: readonly BudgetLimit[],
  ): Promise<readonly BudgetState[]> {
    return this.tables.budgets.states(claims, limits, this.clock.now());
  }

  override async admit(
    reservation: Reservation,
    limits: readonly BudgetLimit[],
    evidence: (states: readonly BudgetState[]) => Decision,
  ): Promise<{ readonly isAdmitted: boolean; readonly states: readonly BudgetState[] }> {
    const now = this.clock.now();
    const states = this.tables.budgets.states(reservation.claims, limits, now);
    if (states.some(({ isExceeded }) => isExceeded)) return { isAdmitted: false, states };
    const decision = copyOf(evidence(states));
    this.tables.budgets.reserve(reservation, now);
    this.tables.write(decision);
    return { isAdmitted: true, states };
  }

  override async release(reference: string): Promise<void> {
    this.tables.budgets.release(reference);
  }
}
