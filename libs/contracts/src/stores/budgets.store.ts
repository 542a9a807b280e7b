import type { Decision } from '../audit/record.js';
import type { BudgetClaim, BudgetLimit, BudgetState, Reservation } from '../approvals/budgets.js';

/**
 * Sums over trailing windows, exact in decimals and by the store's clock. A call that is approved reserves its claims in
 * the transaction of the decision, without a check, and they are released when it is superseded or fails; see
 * `ApprovalStore`.
 */
export abstract class BudgetStore {
  /** The state of each limit, in their order. Reserves nothing. */
  abstract states(
    claims: readonly BudgetClaim[],
    limits: readonly BudgetLimit[],
  ): Promise<readonly BudgetState[]>;

  /**
   * If no limit is exceeded, commits the reservation together with the decision that `evidence` builds. Otherwise it
   * writes nothing. Concurrent calls on one budget are admitted one after the other, so that their sum never exceeds
   * the limit.
   */
  abstract admit(
    reservation: Reservation,
    limits: readonly BudgetLimit[],
    evidence: (states: readonly BudgetState[]) => Decision,
  ): Promise<{ readonly isAdmitted: boolean; readonly states: readonly BudgetState[] }>;

  /** Releases the claims of a call that failed. Does nothing where there are none, or the second time. */
  abstract release(reference: string): Promise<void>;
}
