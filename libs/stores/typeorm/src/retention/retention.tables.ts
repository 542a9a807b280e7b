import type { Dialect } from '../dialects/dialect.js';
import { tablesOf, type TableNaming } from '../tables.js';

/**
 * Who had what removed, for ever; which hours are done with, and how many rows they lost; and which rows of which
 * writer are gone, with the seal of the last one, so that the chain can be followed across the gap. Only a
 * transaction that writes a run's row may delete from an append-only table.
 */
export function retentionTables(dialect: Dialect, naming: TableNaming): readonly string[] {
  const { types: type, tableEnd } = dialect;
  const tables = tablesOf(naming);
  return [
    `create table ${tables.retentionRuns} (
      id ${type.growingId},
      actor_id ${type.text} not null,
      strategy varchar(20) not null,
      scope ${type.text} not null,
      counts ${type.text} not null,
      started_at ${type.time} not null,
      finished_at ${type.time},
      told_at ${type.time},
      state ${type.text},
      lease varchar(36),
      lease_until ${type.time})${tableEnd()}`,
    ...dialect.recordOnce(naming, 'retentionRuns'),
    // One row: whoever begins or takes over a run holds it.
    `create table ${tables.retentionState} (id integer primary key)${tableEnd()}`,
    `insert into ${tables.retentionState} (id) values (1)`,
    `create table ${tables.retentionHours} (
      hour ${type.ordered(13)} not null primary key,
      anonymized_through bigint not null default 0,
      purged_through bigint not null default 0,
      removed bigint not null default 0)${tableEnd()}`,
    `create table ${tables.retentionGaps} (
      writer ${type.uuid} not null,
      last_sequence bigint not null,
      first_sequence bigint not null,
      last_seal ${type.bytes} not null,
      run_id bigint not null,
      primary key (writer, last_sequence))${tableEnd()}`,
  ];
}
