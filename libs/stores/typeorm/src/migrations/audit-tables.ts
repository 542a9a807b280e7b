import { fitsIndex } from '../database/list-filters.js';
import type { TableNaming } from '../database/tables.js';
import { fill, ID, TIME, type IndexOf, type TableTexts } from './columns.js';

/**
 * Evidence refers to its principal by number and without a foreign key, so that deleting the principal erases the name.
 * No table refers to evidence by a foreign key, because one statement writes all of them.
 */
export function auditTables(t: TableTexts, index: IndexOf): readonly string[] {
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

export function firewallTables(t: TableTexts, index: IndexOf): readonly string[] {
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
export function reviewTables(t: TableTexts, index: IndexOf): readonly string[] {
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
export function logTables(t: TableTexts, { tablePrefix }: TableNaming): readonly string[] {
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
