import { fitsIndex } from '../database/list-filters.js';
import { tablesOf, type TableNaming } from '../database/tables.js';
import { NOW } from '../database/sql.js';
import { approvalTables, budgetTables } from './approval-tables.js';
import { auditTables, firewallTables, logTables, reviewTables } from './audit-tables.js';
import { ID, TIME, type IndexOf, type TableTexts, DAY, fill, HOUR, UNIT_TIME } from './columns.js';
import {
  appendOnly,
  decidedOnce,
  recordOnce,
  releasedOnce,
  reviewedOnce,
  votedOnce,
} from './guard-triggers.js';
import { keepHeldRows } from './held-row-triggers.js';

/** All statements that create the tables, their indexes and their triggers. */
export function initialTables(naming: TableNaming): readonly string[] {
  const tables = Object.fromEntries(
    Object.entries(tablesOf(naming)).map(([key, name]) => [key, name.text]),
  ) as TableTexts;
  const index: IndexOf = (name, definition) => `create index "${naming.tablePrefix}${name}" on ${definition}`;
  return [
    ...retentionTables(tables, index),
    ...recordOnce(naming, 'retentionRuns'),
    ...releasedOnce(naming, 'holds'),
    ...auditTables(tables, index),
    ...appendOnly(naming, 'evidence'),
    ...reviewTables(tables, index),
    ...reviewedOnce(naming, 'reviews'),
    ...countTables(tables),
    ...firewallTables(tables, index),
    ...appendOnly(naming, 'rejections'),
    ...outputTables(tables, index),
    ...approvalTables(tables, index),
    ...decidedOnce(naming, 'approvals'),
    ...votedOnce(naming, 'approvalVotes'),
    ...budgetTables(tables, index),
    ...settingsTables(tables, index),
    ...appendOnly(naming, 'settingChanges'),
    ...logTables(tables, naming),
    ...appendOnly(naming, 'leaves'),
    ...appendOnly(naming, 'checkpoints'),
    ...outboxTables(tables, naming, index),
    ...keepHeldRows(naming),
  ];
}

function settingsTables(t: TableTexts, index: IndexOf): readonly string[] {
  return [
    `create table ${t.settings} ("key" varchar(400) primary key, value text not null)`,
    // One row, locked by the instance that changes settings.
    `create table ${t.settingsRevision} (id integer primary key, revision bigint not null)`,
    `insert into ${t.settingsRevision} (id, revision) values (1, 0)`,
    `create table ${t.settingChanges} (
      id ${ID},
      actor_id text not null,
      "key" varchar(400) not null,
      old_value text,
      new_value text,
      request_id text,
      occurred_at ${TIME} not null)`,
    index('setting_changes_by_key', `${t.settingChanges} ("key", id desc)`),
    index(
      'setting_changes_by_actor',
      `${t.settingChanges} (actor_id, id desc) where ${fitsIndex('actor_id')}`,
    ),
    index('setting_changes_by_time', `${t.settingChanges} (occurred_at)`),
  ];
}

/**
 * Counts, so that no read has to count rows. Days and hours have tables of their own, because a year of them is read at
 * once. Seconds before `seconds_since` are deleted.
 */
function countTables(t: TableTexts): readonly string[] {
  // group_hash is a digest of the columns after it, which may be too long for a key. '' means none.
  const group = (nullable: '' | 'not null'): string => `group_hash bytea not null,
      control varchar(20) not null,
      rule_id text ${nullable},
      application text ${nullable},
      ruleset_version text ${nullable},
      allowed bigint not null,
      observed bigint not null,
      blocked bigint not null,
      last_seen_at ${TIME} not null`;
  // Columns by which a kind does not count are null.
  const kinds = `kind varchar(11) collate "C" not null, ${group('')}`;
  return [
    `create table ${t.idRanges} (
      ${UNIT_TIME},
      min_id bigint not null,
      max_id bigint not null,
      primary key (unit, time)) ${fill(50)}`,
    // Appends write only here. The counts are moved to the other tables every few seconds.
    `create table ${t.newCounts} (
      time varchar(19) collate "C" not null,
      ${group('not null')},
      primary key (time, group_hash, ruleset_version)) ${fill(50)}`,
    `create table ${t.fineCounts} (${UNIT_TIME}, ${kinds}, primary key (unit, kind, time, group_hash))`,
    `create table ${t.hourly} (${HOUR}, ${kinds}, primary key (kind, hour, group_hash)) ${fill(70)}`,
    `create table ${t.daily} (${DAY}, ${kinds}, primary key (kind, day, group_hash)) ${fill(70)}`,
    // One row. '': no second is deleted.
    `create table ${t.countState} (id integer primary key, seconds_since varchar(16) collate "C" not null)`,
    `insert into ${t.countState} (id, seconds_since) values (1, '')`,
    `create table ${t.ruleHits} (
      ${UNIT_TIME},
      rule_id text not null,
      hits bigint not null,
      silenced bigint not null,
      primary key (unit, time, rule_id)) ${fill(70)}`,
  ];
}

/** Sums serve whole hours, minutes and seconds, single counts what remains of a time window. */
function outputTables(t: TableTexts, index: IndexOf): readonly string[] {
  const count = `kind varchar(40) not null,
      detector text not null,
      enforced boolean not null,
      count bigint not null`;
  return [
    `create table ${t.outputCounts} (
      id ${ID},
      evidence_id bigint not null,
      occurred_at ${TIME} not null,
      ${count})`,
    index('output_counts_by_time', `${t.outputCounts} (occurred_at desc)`),
    `create table ${t.outputSums} (
      ${UNIT_TIME},
      ${count},
      primary key (unit, time, kind, detector, enforced)) ${fill(70)}`,
  ];
}

function retentionTables(t: TableTexts, index: IndexOf): readonly string[] {
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

function outboxTables(t: TableTexts, { tablePrefix }: TableNaming, index: IndexOf): readonly string[] {
  return [
    `create table ${t.outbox} (
      position ${ID},
      sequence bigint,
      event_id text not null,
      name varchar(80) not null,
      subject text not null,
      severity varchar(10) not null,
      occurred_at ${TIME} not null,
      payload text not null,
      audit_id bigint,
      sinks text not null)`,
    index('outbox_unnumbered', `${t.outbox} (position) where sequence is null`),
    `create unique index "${tablePrefix}outbox_by_sequence" on ${t.outbox} (sequence) where sequence is not null`,
    // One row, locked by the instance that numbers events.
    `create table ${t.outboxSequence} (id integer primary key, last_sequence bigint not null)`,
    `insert into ${t.outboxSequence} (id, last_sequence) values (1, 0)`,
    `create table ${t.deliveries} (
      sink varchar(40) not null,
      subject text not null,
      position bigint not null,
      attempts integer not null default 0,
      queued_at ${TIME} not null default (${NOW.text}),
      due_at ${TIME} not null default (${NOW.text}),
      lease varchar(36),
      last_error text,
      dead_at ${TIME},
      primary key (sink, subject, position))`,
    index('deliveries_due', `${t.deliveries} (sink, due_at, position) where dead_at is null`),
    index('deliveries_dead', `${t.deliveries} (sink, position) where dead_at is not null`),
    index('deliveries_by_position', `${t.deliveries} (position)`),
  ];
}
