import type { Dialect } from '../dialects/dialect.js';
import { GROWING_ID, indexNaming, tablesOf, type TableNaming } from '../tables.js';

const LINE = `kind varchar(40) not null,
      detector text not null,
      enforced boolean not null,
      count bigint not null`;

/** Single counts answer for the edges of a window, the hours for what lies between. */
export function outputTables(_dialect: Dialect, naming: TableNaming): readonly string[] {
  const tables = tablesOf(naming);
  const index = indexNaming(naming);
  return [
    `create table ${tables.outputCounts} (
      id ${GROWING_ID},
      evidence_id bigint not null,
      occurred_at timestamptz(3) not null,
      ${LINE})`,
    `create index ${index('output_counts_by_time')} on ${tables.outputCounts} (occurred_at desc)`,
    `create table ${tables.outputHourly} (
      hour varchar(13) collate "C" not null,
      ${LINE},
      primary key (hour, kind, detector, enforced)) with (fillfactor = 70)`,
  ];
}
