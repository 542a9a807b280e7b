import type { Batch } from '../audit/batch.js';
import type { Parameters } from '../parameters.js';
import type { Tables } from '../tables.js';

/** The rejections of a batch, as a part of its statement. */
export function rejectionParts(
  tables: Tables,
  { rows, principals }: Pick<Batch, 'rows' | 'principals'>,
  parameters: Parameters,
): readonly string[] {
  const refused = rows.flatMap(({ sequence, rejection }) =>
    rejection === null ? [] : [{ ...rejection, sequence }],
  );
  if (refused.length === 0) return [];
  const names = refused.map(({ principal }) => (principal === null ? null : principals.get(principal)));
  const lists = parameters.lists([
    ['bigint', refused.map(({ sequence }) => sequence)],
    ['bytea', names],
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
      select evidence.id, principal.id, given.tool, given.application, given.violations, given.violation_count,
        given.enforced, given.occurred_at
      from unnest(${lists}) as given
        (sequence, principal, tool, application, violations, violation_count, enforced, occurred_at)
      join evidence using (sequence)
      left join principal on principal.digest = given.principal
      order by given.sequence)`,
  ];
}
