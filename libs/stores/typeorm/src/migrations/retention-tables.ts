import { HOUR, ID, TIME, type IndexOf, type TableTexts } from './columns.js';

export function retentionTables(t: TableTexts, index: IndexOf): readonly string[] {
  return [
    `create table ${t.retentionRuns} (
      id ${ID},
      actor_id text not null,
      strategy varchar(20) not null,
      scope text not null,
      counts text not null,
      held_by bigint,
      started_at ${TIME} not null,
      finished_at ${TIME},
      notified_at ${TIME},
      state text,
      lease varchar(36),
      lease_until ${TIME})`,
    // One row, locked by the instance that begins or takes over a run. `holds_released` is how many holds had been released
    // when `anonymized_through` was recorded: rows of a hold that was released later are below it.
    `create table ${t.retentionLock} (
      id integer primary key,
      anonymized_through bigint not null,
      holds_released bigint not null default 0,
      minimum_days integer not null default 0)`,
    `insert into ${t.retentionLock} (id, anonymized_through) values (1, 0)`,
    `create table ${t.holds} (
      id ${ID},
      kind varchar(20) not null,
      principal_id text,
      run_id text,
      application text,
      first_id bigint,
      last_id bigint,
      from_time ${TIME},
      to_time ${TIME},
      reason text not null,
      set_by text not null,
      set_at ${TIME} not null,
      released_by text,
      released_at ${TIME})`,
    index('holds_active', `${t.holds} (id) where released_at is null`),
    // How many rows of evidence were deleted from each hour. The counts still include them.
    `create table ${t.removedHours} (${HOUR} primary key, removed bigint not null)`,
    // Which rows of a writer were deleted.
    `create table ${t.removedRanges} (
      writer uuid not null,
      last_sequence bigint not null,
      first_sequence bigint not null,
      run_id bigint not null,
      primary key (writer, last_sequence))`,
  ];
}
