import {
  NOTHING_RETAINED,
  RETENTION_PARTS,
  type RetentionCounts,
  type RetentionPart,
} from '../../../../contracts/src/retention.js';
import { approvalsPart } from './parts/approvals.part.js';
import { entriesPart } from './parts/entries.part.js';
import { eventsPart } from './parts/events.part.js';
import { outputCountsPart } from './parts/output-counts.part.js';
import { principalsPart } from './parts/principals.part.js';
import { rejectionsPart } from './parts/rejections.part.js';
import type { RunState } from './run-state.js';
import type { RunPart, RunWork } from './run-work.js';

const PARTS: Readonly<Record<RetentionPart, RunPart>> = {
  entries: entriesPart,
  rejections: rejectionsPart,
  outputCounts: outputCountsPart,
  approvals: approvalsPart,
  events: eventsPart,
  principals: principalsPart,
};

export interface RunStep {
  readonly more: Partial<RetentionCounts>;
  /** Where to go on; `null`: the part is done. */
  readonly cursor: unknown;
}

/** What a run would touch. */
export async function countEach(work: RunWork): Promise<RetentionCounts> {
  const counts: Record<RetentionPart, number> = { ...NOTHING_RETAINED };
  for (const part of RETENTION_PARTS) counts[part] = await PARTS[part].count(work);
  return counts;
}

export async function stepOf(
  part: RetentionPart,
  work: RunWork,
  { cursor: from }: RunState,
  limit: number,
): Promise<RunStep> {
  const { touched, further, cursor } = await PARTS[part].step(work, from, limit);
  return { more: { ...further, [part]: touched }, cursor };
}

export function added(counts: RetentionCounts, more: Partial<RetentionCounts>): RetentionCounts {
  const sums = RETENTION_PARTS.map((part) => [part, counts[part] + (more[part] ?? 0)]);
  return Object.fromEntries(sums) as RetentionCounts;
}
