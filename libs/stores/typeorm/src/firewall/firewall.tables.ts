import type { Dialect } from '../dialects/dialect.js';
import { indexNaming, tablesOf, type TableNaming } from '../tables.js';

export function firewallTables(dialect: Dialect, naming: TableNaming): readonly string[] {
  const tables = tablesOf(naming);
  const index = indexNaming(naming);
  return [
    `create table ${tables.rejections} (
      evidence_id bigint primary key,
      tool text not null,
      principal_ref bigint,
      application text,
      violations text not null,
      violation_count integer not null,
      enforced boolean not null,
      occurred_at timestamptz(3) not null)`,
    `create index ${index('rejections_by_time')} on ${tables.rejections} (occurred_at desc, evidence_id desc)`,
    `create index ${index('rejections_by_principal')} on ${tables.rejections} (principal_ref, evidence_id desc)
      where principal_ref is not null`,
    `create index ${index('rejections_by_tool')} on ${tables.rejections} (tool, evidence_id desc)`,
    `create index ${index('rejections_by_application')} on ${tables.rejections} (application, evidence_id desc)
      where application is not null`,
    ...dialect.appendOnly(naming, 'rejections'),
  ];
}
