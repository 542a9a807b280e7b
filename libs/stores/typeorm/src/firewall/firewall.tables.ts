import type { Dialect, Index } from '../dialects/dialect.js';
import { tablesOf, type TableNaming } from '../tables.js';

export function firewallTables(dialect: Dialect, naming: TableNaming): readonly string[] {
  const { types: type, tableEnd, head, indexable } = dialect;
  const tables = tablesOf(naming);
  const index = (given: Index): string => dialect.index(naming, given);
  return [
    `create table ${tables.rejections} (
      evidence_id bigint primary key,
      tool ${type.text} not null,
      principal_ref bigint,
      application ${type.text},
      violations ${type.text} not null,
      violation_count integer not null,
      enforced boolean not null,
      occurred_at ${type.time} not null)${tableEnd()}`,
    index({
      name: 'rejections_by_time',
      on: 'rejections',
      columns: ['occurred_at desc', 'evidence_id desc'],
    }),
    index({
      name: 'rejections_by_principal',
      on: 'rejections',
      columns: ['principal_ref', 'evidence_id desc'],
      where: 'principal_ref is not null',
    }),
    index({
      name: 'rejections_by_tool',
      on: 'rejections',
      columns: [head('tool'), 'evidence_id desc'],
      where: indexable('tool'),
    }),
    index({
      name: 'rejections_by_application',
      on: 'rejections',
      columns: [head('application'), 'evidence_id desc'],
      where: indexable('application'),
    }),
    ...dialect.appendOnly(naming, 'rejections'),
  ];
}
