import type { EntityManager } from 'typeorm';
import type {
  RetentionCounts,
  RetentionScope,
  RetentionStrategy,
} from '../../../../contracts/src/retention.js';
import type { Dialect } from '../dialects/dialect.js';
import { changedBy, rowsOf } from '../rows.js';
import { Parameters } from '../parameters.js';
import type { Tables } from '../tables.js';

/** What the parts of a run work with, inside one transaction that has written the run's row. */
export interface RunWork {
  readonly manager: EntityManager;
  readonly tables: Tables;
  readonly dialect: Dialect;
  readonly strategy: RetentionStrategy;
  readonly scope: RetentionScope;
  /** 0 while only counting. */
  readonly runId: number;
}

export interface StepResult {
  readonly touched: number;
  /** Of other parts, where one had to be gone through once more. */
  readonly further?: Partial<RetentionCounts>;
  /** Where to go on; `null`: the part is done. */
  readonly cursor: unknown;
}

/** One kind of what is kept. */
export interface RunPart {
  /** How many of it the run would touch. */
  count(work: RunWork): Promise<number>;
  /** Does the next `limit` of it. */
  step(work: RunWork, cursor: unknown, limit: number): Promise<StepResult>;
}

/** Rows of a statement that is written with its parameters at hand. */
export function ask<Row>(
  { manager }: Pick<RunWork, 'manager'>,
  write: (parameters: Parameters) => string,
): Promise<Row[]> {
  const parameters = new Parameters();
  const statement = write(parameters);
  return rowsOf<Row>(manager, statement, parameters.values);
}

/** The `count` that a statement answers. */
export async function countOf(
  work: Pick<RunWork, 'manager'>,
  write: (parameters: Parameters) => string,
): Promise<number> {
  const [row] = await ask<{ count: string }>(work, write);
  return Number(row?.count ?? 0);
}

/** How many rows a statement changed. */
export function changed(
  { manager }: Pick<RunWork, 'manager'>,
  write: (parameters: Parameters) => string,
): Promise<number> {
  const parameters = new Parameters();
  const statement = write(parameters);
  return changedBy(manager, statement, parameters.values);
}

/** Done when a statement found less than it was allowed. */
export const unlessFull = (touched: number, limit: number): StepResult => ({
  touched,
  cursor: touched < limit ? null : true,
});
