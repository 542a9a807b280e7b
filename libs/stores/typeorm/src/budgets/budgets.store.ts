import type { Decision } from '#contracts/audit/record.js';
import { BudgetStore } from '#contracts/stores/approvals.store.js';
import type { BudgetClaim, BudgetLimit, BudgetState, Reservation } from '#contracts/approvals/budgets.js';
import { appendDecision } from '../audit/decision-writer.js';
import type { Database } from '../database/database.js';
import { lockBudgets, release, reserve, statesOf } from './reservations.js';

export class TypeormBudgetStore extends BudgetStore {
  constructor(private readonly database: Database) {
    super();
  }

  override async states(
    claims: readonly BudgetClaim[],
    limits: readonly BudgetLimit[],
  ): Promise<readonly BudgetState[]> {
    if (limits.length === 0) return [];
    return this.database.query<BudgetState>(statesOf(this.database.tables, claims, limits), {
      isPrepared: true,
    });
  }

  override admit(
    reservation: Reservation,
    limits: readonly BudgetLimit[],
    evidence: (states: readonly BudgetState[]) => Decision,
  ): Promise<{ readonly isAdmitted: boolean; readonly states: readonly BudgetState[] }> {
    const { tables } = this.database;
    const { claims } = reservation;
    return this.database.transaction(async (transaction) => {
      const now = await lockBudgets(transaction, tables, claims);
      const { rows: states } = await transaction.query<BudgetState>(statesOf(tables, claims, limits), {
        isPrepared: true,
      });
      if (states.some(({ isExceeded }) => isExceeded)) return { isAdmitted: false, states };
      await reserve(transaction, tables, reservation, now);
      await appendDecision(transaction, this.database, evidence(states));
      return { isAdmitted: true, states };
    });
  }

  override async release(reference: string): Promise<void> {
    await this.database.transaction((transaction) => release(transaction, this.database.tables, reference));
  }
}
