import type { Dialect } from '../dialects/dialect.js';
import { GROWING_ID, tablesOf, type TableNaming } from '../tables.js';

/**
 * Who had what removed, for ever; which hours are done with, and how many rows they lost; and which rows of which
 * writer are gone, with the seal of the last one, so that the chain can be followed across the gap. Only a
 * transaction that writes a run's row may delete from an append-only table.
 */
export function retentionTables(dialect: Dialect, naming: TableNaming): readonly string[] {
  const tables = tablesOf(naming);
  return [
    `create table ${tables.retentionRuns} (
      id ${GROWING_ID},
      actor_id text not null,
      strategy varchar(20) not null,
      scope text not null,
      counts text not null,
      started_at timestamptz(3) not null,
      finished_at timestamptz(3),
      told_at timestamptz(3),
      state text,
      lease varchar(36),
      lease_until timestamptz(3))`,
    ...dialect.recordOnce(naming, 'retentionRuns'),
    // One row: whoever begins or takes over a run holds it.
    `create table ${tables.retentionState} (id integer primary key)`,
    `insert into ${tables.retentionState} (id) values (1)`,
    `create table ${tables.retentionHours} (
      hour varchar(13) collate "C" not null primary key,
      anonymized_through bigint not null default 0,
      purged_through bigint not null default 0,
      removed bigint not null default 0)`,
    `create table ${tables.retentionGaps} (
      writer uuid not null,
      last_sequence bigint not null,
      first_sequence bigint not null,
      last_seal bytea not null,
      run_id bigint not null,
      primary key (writer, last_sequence))`,
  ];
}
