import {
  NOTHING_RETAINED,
  RETENTION_PARTS,
  type RetentionCounts,
  type RetentionPart,
} from '#contracts/retention.js';
import type { RetentionContext, RetentionStep } from './retention-step.js';
import { evidenceStep } from './evidence.step.js';
import { principalsStep } from './principals.step.js';
import { approvalsStep, eventsStep, outputCountsStep, rejectionsStep } from './record-steps.js';

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
