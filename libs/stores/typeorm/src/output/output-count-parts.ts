import type { SealedRow } from '../audit/batch.js';
import { EVIDENCE_ID } from '../audit/evidence-parts.js';
import type { Parameters } from '../parameters.js';
import type { Tables } from '../tables.js';

/** The single counts of a batch, as a part of its statement. */
export function outputCountParts(
  tables: Tables,
  rows: readonly SealedRow[],
  parameters: Parameters,
): readonly string[] {
  const counted = rows.flatMap(({ evidence: { occurredAt }, outputCounts }, index) =>
    outputCounts.map((count) => ({ ...count, place: index + 1, occurredAt })),
  );
  if (counted.length === 0) return [];
  const lists = parameters.lists([
    ['integer', counted.map(({ place }) => place)],
    ['timestamptz', counted.map(({ occurredAt }) => occurredAt)],
    ['text', counted.map(({ kind }) => kind)],
    ['text', counted.map(({ detector }) => detector)],
    ['boolean', counted.map(({ enforced }) => enforced)],
    ['bigint', counted.map(({ count }) => count)],
  ]);
  return [
    `output_counts as (
      insert into ${tables.outputCounts} (evidence_id, occurred_at, kind, detector, enforced, count)
      select ${EVIDENCE_ID}, given.occurred_at, given.kind, given.detector, given.enforced, given.count
      from unnest(${lists}) as given (place, occurred_at, kind, detector, enforced, count))`,
  ];
}
