import type { ColumnTypes, Dialect, Index } from '../dialects/dialect.js';
import { tablesOf, type TableNaming } from '../tables.js';

const lineOf = (type: ColumnTypes): string => `kind varchar(40) not null,
      detector ${type.key(600)} not null,
      enforced boolean not null,
      count bigint not null`;

/** Single counts answer for the edges of a window, the hours for what lies between. */
export function outputTables(dialect: Dialect, naming: TableNaming): readonly string[] {
  const { types: type, tableEnd } = dialect;
  const tables = tablesOf(naming);
  const line = lineOf(type);
  const index = (given: Index): string => dialect.index(naming, given);
  return [
    `create table ${tables.outputCounts} (
      id ${type.growingId},
      evidence_id bigint not null,
      occurred_at ${type.time} not null,
      ${line})${tableEnd()}`,
    index({ name: 'output_counts_by_time', on: 'outputCounts', columns: ['occurred_at desc'] }),
    `create table ${tables.outputHourly} (
      hour ${type.ordered(13)} not null,
      ${line},
      primary key (hour, kind, detector, enforced))${tableEnd(70)}`,
  ];
}
