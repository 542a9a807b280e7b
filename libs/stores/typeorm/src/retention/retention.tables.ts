import type { Dialect } from '../dialects/dialect.js';
import { GROWING_ID, tablesOf, type TableNaming } from '../tables.js';

/** Who had what removed. Only a transaction that writes here may delete from an append-only table. */
export function retentionTables(_dialect: Dialect, naming: TableNaming): readonly string[] {
  const tables = tablesOf(naming);
  return [
    `create table ${tables.retentionRuns} (
      id ${GROWING_ID},
      actor_id text not null,
      strategy varchar(20) not null,
      scope text not null,
      counts text not null,
      started_at timestamptz(3) not null,
      finished_at timestamptz(3))`,
  ];
}
