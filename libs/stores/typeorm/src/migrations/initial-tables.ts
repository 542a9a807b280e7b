import { fitsIndex } from '../database/list-filters.js';
import { NOW } from '../database/sql.js';
import { tablesOf, type TableKey, type TableNaming } from '../database/tables.js';
import { guard } from './guard-triggers.js';
import { keepHeldRows } from './held-row-triggers.js';

const ID = 'bigint generated always as identity primary key';
const TIME = 'timestamptz(3)';

/** `YYYY-MM-DDTHH` in UTC: ordered like the time, and understood by every SQL database. */
const HOUR = `hour varchar(13) collate "C" not null`;
/** A minute or a second is `YYYY-MM-DDTHH:MM` or `YYYY-MM-DDTHH:MM:SS`. */
const UNIT_TIME = `unit varchar(6) collate "C" not null, time varchar(19) collate "C" not null`;
const DAY = `day varchar(10) collate "C" not null`;

/** Rows that change in place need free space in their page. */
const fill = (percent: number) => `with (fillfactor = ${percent})`;

/** Quoted names of the tables. */
type TableTexts = Readonly<Record<TableKey, string>>;
/** The statement that creates an index. */
type IndexOf = (name: string, definition: string) => string;

/** All statements that create the tables, their indexes and their triggers. */
export function initialTables(naming: TableNaming): readonly string[] {
  const tables = Object.fromEntries(
    Object.entries(tablesOf(naming)).map(([key, name]) => [key, name.text]),
  ) as TableTexts;
  const index: IndexOf = (name, definition) => `create index "${naming.tablePrefix}${name}" on ${definition}`;
  return [
    ...retentionTables(tables, index),
    ...guard(naming, 'record_once', 'retentionRuns'),
    ...guard(naming, 'released_once', 'holds'),
    ...auditTables(tables, index),
    ...guard(naming, 'append_only', 'evidence'),
    ...reviewTables(tables, index),
    ...guard(naming, 'reviewed_once', 'reviews'),
    ...countTables(tables),
    ...firewallTables(tables, index),
    ...guard(naming, 'append_only', 'rejections'),
    ...outputTables(tables, index),
    ...approvalTables(tables, index),
    ...guard(naming, 'decided_once', 'approvals'),
    ...guard(naming, 'voted_once', 'approvalVotes'),
    ...budgetTables(tables, index),
    ...settingsTables(tables, index),
    ...guard(naming, 'append_only', 'settingChanges'),
    ...logTables(tables, naming),
    ...guard(naming, 'append_only', 'leaves'),
    ...guard(naming, 'append_only', 'checkpoints'),
    ...outboxTables(tables, naming, index),
    ...keepHeldRows(naming),
  ];
}

/**
 * Evidence refers to its principal by number and without a foreign key, so that deleting the principal erases the name.
 * No table refers to evidence by a foreign key, because one statement writes all of them.
 */
function auditTables(t: TableTexts, index: IndexOf): readonly string[] {
  return [
    // A name may be longer than an index entry, so its digest is unique instead.
    `create table ${t.principals} (id ${ID}, digest bytea not null unique, name text not null)`,
    `create table ${t.evidence} (
      id ${ID},
      occurred_at ${TIME} not null,
      day char(10) not null,
      control varchar(20) not null,
      outcome varchar(10) not null,
      mode varchar(10) not null,
      origin varchar(20) not null,
      errored boolean not null,
      principal_ref bigint,
      prompt_length bigint not null,
      duration_us bigint not null,
      rule_id text,
      matched_rules text not null,
      errored_rule_ids text not null,
      findings text,
      finding_count bigint not null default 0,
      application text,
      request_id text,
      run_id text,
      tool text,
      ruleset_version text not null,
      rendering text,
      approval_id bigint,
      approval_step varchar(20),
      prompt_commitment bytea not null,
      matched_text_commitment bytea,
      principal_commitment bytea,
      policy_commitment bytea,
      writer uuid not null,
      sequence bigint not null,
      row_hash bytea not null)`,
    index('evidence_by_control', `${t.evidence} (control, id desc)`),
    index('evidence_by_rule', `${t.evidence} (rule_id, id desc) where ${fitsIndex('rule_id')}`),
    index('evidence_by_principal', `${t.evidence} (principal_ref, id desc) where principal_ref is not null`),
    index(
      'evidence_by_application',
      `${t.evidence} (application, id desc) where ${fitsIndex('application')}`,
    ),
    ...['run_id', 'request_id', 'tool'].map((column) =>
      index(`evidence_by_${column}`, `${t.evidence} (${column}, id desc) where ${fitsIndex(column)}`),
    ),
    index('evidence_by_approval', `${t.evidence} (approval_id, id desc) where approval_id is not null`),
    index('evidence_blocked', `${t.evidence} (id desc) where outcome = 'blocked'`),
    index('evidence_blocked_by_control', `${t.evidence} (control, id desc) where outcome = 'blocked'`),
    index('evidence_observed', `${t.evidence} (id desc) where outcome = 'observed'`),
    `create table ${t.content} (
      evidence_id bigint primary key,
      storage varchar(10) not null,
      prompt text not null,
      matched_span_start bigint,
      matched_span_end bigint,
      matched_text text,
      alteration varchar(10),
      policy text,
      salt bytea)`,
    `create table ${t.writers} (
      writer uuid primary key,
      sequence bigint not null,
      last_id bigint not null,
      ended boolean not null) ${fill(50)}`,
    // Has no rows. Every append locks it, and retention locks it while no append may run. Other tables would not do: a lock
    // of theirs waits for a vacuum, which takes minutes, and appends wait behind it.
    `create table ${t.appendLock} (id integer primary key)`,
  ];
}

function firewallTables(t: TableTexts, index: IndexOf): readonly string[] {
  return [
    `create table ${t.rejections} (
      evidence_id bigint primary key,
      tool text not null,
      principal_ref bigint,
      application text,
      violations text not null,
      violation_count integer not null,
      enforced boolean not null,
      occurred_at ${TIME} not null)`,
    index('rejections_by_time', `${t.rejections} (occurred_at desc, evidence_id desc)`),
    index(
      'rejections_by_principal',
      `${t.rejections} (principal_ref, evidence_id desc) where principal_ref is not null`,
    ),
    index('rejections_by_tool', `${t.rejections} (tool, evidence_id desc) where ${fitsIndex('tool')}`),
    index(
      'rejections_by_application',
      `${t.rejections} (application, evidence_id desc) where ${fitsIndex('application')}`,
    ),
  ];
}

/** The rule is repeated here, so that counting reads no evidence. */
function reviewTables(t: TableTexts, index: IndexOf): readonly string[] {
  return [
    `create table ${t.reviews} (
      id ${ID},
      evidence_id bigint not null,
      verdict varchar(20) not null,
      note text,
      rule_id text,
      actor_id text not null,
      request_id text,
      reviewed_at ${TIME} not null)`,
    index('reviews_by_entry', `${t.reviews} (evidence_id desc, id desc)`),
    index('reviews_by_verdict', `${t.reviews} (verdict, evidence_id desc)`),
    index('reviews_by_time', `${t.reviews} (reviewed_at)`),
  ];
}

/** The transparency log. Retention never touches it, so the leaves of deleted rows remain. */
function logTables(t: TableTexts, { tablePrefix }: TableNaming): readonly string[] {
  return [
    // A row has the leaves of entries that were appended together, or one leaf of another kind. Hashes cannot be
    // compressed, and compressing the rest would take longer than all else.
    `create table ${t.leaves} (
      index bigint primary key,
      kind varchar(20) not null,
      refs bigint[] not null,
      times bigint[] not null,
      hashes bytea not null,
      check (cardinality(refs) > 0 and cardinality(times) = cardinality(refs)
        and length(hashes) = 32 * cardinality(refs)))`,
    ...['refs', 'times', 'hashes'].map(
      (column) => `alter table ${t.leaves} alter ${column} set storage external`,
    ),
    `create unique index "${tablePrefix}log_leaves_by_record" on ${t.leaves} (kind, (refs[1]))`,
    // One row, locked by the instance that extends the log. Evidence up to `through_id` was read, but may have been
    // committed later; log_writers shows which rows are missing.
    `create table ${t.logState} (
      id integer primary key,
      size bigint not null,
      through_id bigint not null,
      frontier bytea not null)`,
    `insert into ${t.logState} (id, size, through_id, frontier) values (1, 0, 0, '')`,
    `create table ${t.logWriters} (writer uuid primary key, sequence bigint not null) ${fill(50)}`,
    `create table ${t.checkpoints} (
      size bigint primary key,
      root bytea not null,
      time ${TIME} not null,
      note text not null)`,
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
  const group = (nullable: '' | 'not null') => `group_hash bytea not null,
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

function approvalTables(t: TableTexts, index: IndexOf): readonly string[] {
  return [
    `create table ${t.approvals} (
      id ${ID},
      reference text not null unique,
      token_hash text not null unique,
      encrypted_token text,
      call_mac text not null,
      audit_id bigint,
      dedup_key char(64) unique,
      pending_slot varchar(80) unique,
      status varchar(20) not null,
      run_id text,
      step_name text not null,
      tool text not null,
      tool_fingerprint text not null,
      arguments text,
      arguments_digest text not null,
      requested_arguments text,
      overwritten text not null,
      reversible boolean not null,
      idempotent boolean not null,
      warnings text not null,
      principal_id text,
      application text,
      request_id text,
      trace_parent text,
      policy_revision text not null,
      requirement text not null,
      supersedes bigint,
      superseded_by bigint,
      first_id bigint,
      editors text not null,
      edit_reason text,
      created_at ${TIME} not null,
      expires_at ${TIME} not null,
      decision varchar(10),
      decided_by text,
      decided_at ${TIME},
      reason text,
      decision_mac text,
      vote_count integer not null default 0,
      fence integer not null default 0,
      lease_until ${TIME},
      finished_at ${TIME},
      resolved_by text,
      resolved_at ${TIME},
      resolved_reason text,
      reminded_at ${TIME},
      escalated_at ${TIME},
      notified_at ${TIME},
      notify_lease_until ${TIME},
      notify_attempts integer not null default 0,
      claims text not null default '[]',
      result text,
      error text)`,
    index('approvals_by_status', `${t.approvals} (status, id desc)`),
    index(
      'approvals_pending',
      `${t.approvals} (principal_id) where status = 'pending' and ${fitsIndex('principal_id')}`,
    ),
    index('approvals_by_run', `${t.approvals} (run_id, id desc) where ${fitsIndex('run_id')}`),
    index(
      'approvals_by_principal',
      `${t.approvals} (principal_id, id desc) where ${fitsIndex('principal_id')}`,
    ),
    index('approvals_by_tool', `${t.approvals} (tool, id desc) where ${fitsIndex('tool')}`),
    index('approvals_by_decider', `${t.approvals} (decided_by, id desc) where ${fitsIndex('decided_by')}`),
    index('approvals_by_resolver', `${t.approvals} (resolved_by, id desc) where ${fitsIndex('resolved_by')}`),
    index('approvals_to_notify', `${t.approvals} (finished_at) where notified_at is null`),
    `create table ${t.approvalVotes} (
      id ${ID},
      approval_id bigint not null,
      actor_id text not null,
      reason text,
      voted_at ${TIME} not null,
      vote_mac text not null,
      voided_at ${TIME})`,
    index('approval_votes_by_approval', `${t.approvalVotes} (approval_id)`),
    index('approval_votes_by_actor', `${t.approvalVotes} (actor_id) where ${fitsIndex('actor_id')}`),
  ];
}

/** Sums of limits. Whole hours are summed in advance; single reservations serve the edge of a window. */
function budgetTables(t: TableTexts, index: IndexOf): readonly string[] {
  return [
    // One row per budget, locked by the call that is being admitted.
    `create table ${t.budgets} (budget varchar(64) primary key, owner text) ${fill(50)}`,
    index('budgets_by_owner', `${t.budgets} (owner) where ${fitsIndex('owner')}`),
    `create table ${t.reservations} (
      reference text not null,
      budget varchar(64) not null,
      amount numeric not null,
      reserved_at ${TIME} not null,
      primary key (reference, budget))`,
    index('budget_reservations_by_time', `${t.reservations} (budget, reserved_at)`),
    // The hour is the number of hours since 1970.
    `create table ${t.budgetHours} (
      budget varchar(64) not null,
      hour bigint not null,
      amount numeric not null,
      primary key (budget, hour)) ${fill(70)}`,
  ];
}
