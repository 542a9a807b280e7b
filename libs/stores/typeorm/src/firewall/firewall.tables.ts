import type { Dialect } from '../dialects/dialect.js';
import { GROWING_ID, indexNaming, tablesOf, type TableNaming } from '../tables.js';

export function firewallTables(dialect: Dialect, naming: TableNaming): readonly string[] {
  const tables = tablesOf(naming);
  const index = indexNaming(naming);
  return [
    `create table ${tables.rejections} (
      id ${GROWING_ID},
      evidence_id bigint not null,
      tool text not null,
      principal_ref bigint,
      application text,
      violations text not null,
      violation_count integer not null,
      enforced boolean not null,
      occurred_at timestamptz(3) not null)`,
    `create index ${index('rejections_by_time')} on ${tables.rejections} (occurred_at desc, id desc)`,
    `create index ${index('rejections_by_principal')} on ${tables.rejections} (principal_ref, id desc)`,
    `create index ${index('rejections_by_tool')} on ${tables.rejections} (tool, id desc)`,
    ...dialect.appendOnly(naming, 'rejections'),
  ];
}
