import {
  NOTHING_RETAINED,
  RETENTION_PARTS,
  type RetentionCounts,
  type RetentionPart,
  type RetentionScope,
  type RetentionStrategy,
} from '#contracts/retention.js';
import type { Transaction } from '../connection-pool.js';
import type { Tables } from '../tables.js';
import { evidenceStep } from './evidence.step.js';
import { principalsStep } from './principals.step.js';
import { approvalsStep, eventsStep, outputCountsStep, rejectionsStep } from './record-steps.js';

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

const STEPS: Readonly<Record<RetentionPart, RetentionStep>> = {
  entries: evidenceStep,
  rejections: rejectionsStep,
  outputCounts: outputCountsStep,
  approvals: approvalsStep,
  events: eventsStep,
  principals: principalsStep,
};

export async function countRecords(context: RetentionContext): Promise<RetentionCounts> {
  const counts: Record<RetentionPart, number> = { ...NOTHING_RETAINED };
  for (const part of RETENTION_PARTS) counts[part] = await STEPS[part].count(context);
  return counts;
}

export async function runStep(
  part: RetentionPart,
  context: RetentionContext,
  from: unknown,
  limit: number,
): Promise<{ readonly counts: Partial<RetentionCounts>; readonly cursor: unknown }> {
  const { touched, further, cursor } = await STEPS[part].run(context, from, limit);
  return { counts: { ...further, [part]: touched }, cursor };
}

export function addCounts(counts: RetentionCounts, more: Partial<RetentionCounts>): RetentionCounts {
  const sums = RETENTION_PARTS.map((part) => [part, counts[part] + (more[part] ?? 0)]);
  return Object.fromEntries(sums) as RetentionCounts;
}
