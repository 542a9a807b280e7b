// Budgets of policies: what a principal spends with a tool over time.
import { LIMIT_WINDOWS_MS } from '../policies/policies.js';

/** What one call adds to one sum. */
export interface BudgetClaim {
  /** SHA-256 over tool and principal, as `comparableId` compares them, and what is summed, hex. */
  readonly budget: string;
  /** The principal; `null` for calls without one, which share a budget. */
  readonly owner: string | null;
  /** An exact decimal of at least zero, such as `12.50`. */
  readonly amount: string;
}

/** A limit on one of the claimed budgets, over a trailing window. */
export interface BudgetLimit {
  readonly budget: string;
  /**
   * The key over the exact names, under which earlier versions reserved. Only the approval of a call that waited at the
   * upgrade still writes it, so its sums count for 30 days: then no window reaches them.
   */
  readonly exactBudget?: string;
  readonly windowMs: number;
  /** An exact decimal. */
  readonly lte: string;
}

/** How much of a budget is spent, and whether a call fits into it. */
export interface BudgetState {
  /** What is reserved within the window, without the call, as an exact decimal. */
  readonly spent: string;
  /** Whether the call would exceed the limit. */
  readonly isExceeded: boolean;
}

/** What one call reserves of its budgets. */
export interface Reservation {
  /** Unique; releases the claims. */
  readonly reference: string;
  /** Each budget once. */
  readonly claims: readonly BudgetClaim[];
}

/** Longest window of a limit. Reservations are kept at least as long. */
export const LONGEST_WINDOW_MS = Math.max(...Object.values(LIMIT_WINDOWS_MS));
