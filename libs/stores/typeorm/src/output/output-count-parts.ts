import type { SealedRow } from '../audit/batch.js';
import type { Parameters } from '../parameters.js';
import type { Tables } from '../tables.js';

/** The single counts of a batch, as a part of its statement. */
export function outputCountParts(
  tables: Tables,
  rows: readonly SealedRow[],
  parameters: Parameters,
): readonly string[] {
  const counted = rows.flatMap(({ sequence, evidence: { occurredAt }, outputCounts }) =>
    outputCounts.map((count) => ({ ...count, sequence, occurredAt })),
  );
  if (counted.length === 0) return [];
  const lists = parameters.lists([
    ['bigint', counted.map(({ sequence }) => sequence)],
    ['timestamptz', counted.map(({ occurredAt }) => occurredAt)],
    ['text', counted.map(({ kind }) => kind)],
    ['text', counted.map(({ detector }) => detector)],
    ['boolean', counted.map(({ enforced }) => enforced)],
    ['bigint', counted.map(({ count }) => count)],
  ]);
  return [
    `output_counts as (
      insert into ${tables.outputCounts} (evidence_id, occurred_at, kind, detector, enforced, count)
      select evidence.id, given.occurred_at, given.kind, given.detector, given.enforced, given.count
      from unnest(${lists}) as given (sequence, occurred_at, kind, detector, enforced, count)
      join evidence using (sequence))`,
  ];
}
