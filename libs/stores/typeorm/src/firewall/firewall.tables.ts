import type { Dialect } from '../dialects/dialect.js';
import { GROWING_ID, indexNaming, tablesOf, type TableNaming } from '../tables.js';

export function firewallTables(_dialect: Dialect, naming: TableNaming): readonly string[] {
  const tables = tablesOf(naming);
  const index = indexNaming(naming);
  return [
    `create table ${tables.rejections} (
      id ${GROWING_ID},
      evidence_id bigint not null references ${tables.evidence} (id),
      tool text not null,
      principal_id text,
      application text,
      violations text not null,
      violation_count integer not null,
      enforced boolean not null,
      occurred_at timestamptz(3) not null)`,
    `create index ${index('rejections_by_time')} on ${tables.rejections} (occurred_at desc, id desc)`,
    `create index ${index('rejections_by_principal')} on ${tables.rejections} (principal_id, id desc)`,
    `create index ${index('rejections_by_tool')} on ${tables.rejections} (tool, id desc)`,
  ];
}
