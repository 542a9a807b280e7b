import type { NewRejection } from '../../../../contracts/src/firewall.js';
import { jsonText } from '../json-text.js';
import type { Parameters } from '../parameters.js';
import type { Tables } from '../tables.js';

/** The rejection of a decision, as a part of the statement that appends it. */
export function rejectionInsert(tables: Tables, rejection: NewRejection, parameters: Parameters): string {
  const values = [
    `${parameters.text(rejection.tool)}::text`,
    `${parameters.text(rejection.principalId)}::text`,
    `${parameters.text(rejection.application)}::text`,
    `${parameters.add(jsonText(rejection.violations))}::text`,
    `${parameters.add(rejection.violationCount)}::integer`,
    `${parameters.add(rejection.enforced)}::boolean`,
    `${parameters.time(rejection.occurredAt)}::timestamptz`,
  ];
  return `rejection as (
    insert into ${tables.rejections}
      (evidence_id, tool, principal_id, application, violations, violation_count, enforced, occurred_at)
    select id, ${values.join(', ')} from evidence)`;
}
