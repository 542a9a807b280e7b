import type { Decision } from '../../../../contracts/src/audit.js';
import { scrubText } from '../../../../contracts/src/text.js';
import type { Parameters } from '../parameters.js';
import type { Tables } from '../tables.js';

/** The statistics of a decision, as a part of the statement that appends it. */
export function outputCountsInsert(tables: Tables, decision: Decision, parameters: Parameters): string {
  const counts = decision.outputCounts;
  const lists = [
    `${parameters.add(counts.map(({ kind }) => kind))}::text[]`,
    `${parameters.add(counts.map(({ detector }) => scrubText(detector)))}::text[]`,
    `${parameters.add(counts.map(({ enforced }) => enforced))}::boolean[]`,
    `${parameters.add(counts.map(({ count }) => count))}::bigint[]`,
  ];
  const occurredAt = `${parameters.time(decision.evidence.occurredAt)}::timestamptz`;
  return `output_counts as (
    insert into ${tables.outputCounts} (evidence_id, occurred_at, kind, detector, enforced, count)
    select evidence.id, ${occurredAt}, counted.kind, counted.detector, counted.enforced, counted.count
    from evidence, unnest(${lists.join(', ')}) as counted (kind, detector, enforced, count))`;
}
