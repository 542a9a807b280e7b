import type { Dialect } from '../dialects/dialect.js';
import { GROWING_ID, indexNaming, tablesOf, type TableNaming } from '../tables.js';

export function outputTables(_dialect: Dialect, naming: TableNaming): readonly string[] {
  const tables = tablesOf(naming);
  const index = indexNaming(naming);
  return [
    `create table ${tables.outputCounts} (
      id ${GROWING_ID},
      evidence_id bigint not null references ${tables.evidence} (id),
      occurred_at timestamptz(3) not null,
      kind varchar(40) not null,
      detector text not null,
      enforced boolean not null,
      count bigint not null)`,
    `create index ${index('output_counts_by_time')} on ${tables.outputCounts} (occurred_at desc)`,
  ];
}
