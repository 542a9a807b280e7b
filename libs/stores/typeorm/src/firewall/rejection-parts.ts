import type { Batch } from '../audit/batch.js';
import { EVIDENCE_ID } from '../audit/evidence-parts.js';
import { PRINCIPAL_ID, principalPlaces } from '../audit/principal-parts.js';
import type { Parameters } from '../parameters.js';
import type { Tables } from '../tables.js';

/** The rejections of a batch, as a part of its statement. */
export function rejectionParts(tables: Tables, batch: Batch, parameters: Parameters): readonly string[] {
  const refused = batch.rows.flatMap(({ rejection }, index) =>
    rejection === null ? [] : [{ ...rejection, place: index + 1 }],
  );
  if (refused.length === 0) return [];
  const principals = principalPlaces(
    batch,
    refused.map(({ principal }) => principal),
  );
  const lists = parameters.lists([
    ['integer', refused.map(({ place }) => place)],
    ['integer', principals],
    ['text', refused.map(({ tool }) => tool)],
    ['text', refused.map(({ application }) => application)],
    ['text', refused.map(({ violations }) => violations)],
    ['integer', refused.map(({ violationCount }) => violationCount)],
    ['boolean', refused.map(({ enforced }) => enforced)],
    ['timestamptz', refused.map(({ occurredAt }) => occurredAt)],
  ]);
  return [
    `rejections as (
      insert into ${tables.rejections}
        (evidence_id, principal_ref, tool, application, violations, violation_count, enforced, occurred_at)
      select ${EVIDENCE_ID}, ${PRINCIPAL_ID}, given.tool, given.application, given.violations,
        given.violation_count, given.enforced, given.occurred_at
      from unnest(${lists}) as given
        (place, principal, tool, application, violations, violation_count, enforced, occurred_at))`,
  ];
}
