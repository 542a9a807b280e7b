import type { RetentionCounts, RetentionScope, RetentionStrategy } from '#contracts/retention.js';
import type { Transaction } from '../connection-pool.js';
import type { Sql } from '../sql.js';
import type { Tables } from '../tables.js';

/** What a step works with. The transaction has written the row of the run. */
export interface RetentionContext {
  readonly transaction: Transaction;
  readonly tables: Tables;
  readonly strategy: RetentionStrategy;
  readonly scope: RetentionScope;
  /** 0 if rows are only counted. */
  readonly runId: number;
}

export interface StepResult {
  /** How many records were erased or deleted. */
  readonly touched: number;
  /** Records of other steps. */
  readonly further?: Partial<RetentionCounts>;
  /** Where the step continues; `null` when it is done. */
  readonly cursor: unknown;
}

/** Erases or deletes one kind of record. */
export interface RetentionStep {
  /** How many records the run would touch. */
  count(context: RetentionContext): Promise<number>;
  /** Handles at most `limit` records. */
  run(context: RetentionContext, cursor: unknown, limit: number): Promise<StepResult>;
}

/** The `count` that a statement returns. */
export async function countOf({ transaction }: RetentionContext, statement: Sql): Promise<number> {
  const { rows } = await transaction.query<{ count: number | null }>(statement);
  return rows[0]?.count ?? 0;
}

/** How many rows a statement changed. */
export async function changedBy({ transaction }: RetentionContext, statement: Sql): Promise<number> {
  return (await transaction.query(statement)).rowCount;
}
