import type { Dialect } from '../dialects/dialect.js';
import { tablesOf, type TableNaming } from '../tables.js';

/** The tables as they were first made, in an order in which each finds those it refers to. */
export function tableStatements(dialect: Dialect, naming: TableNaming): readonly string[] {
  const tables = tablesOf(naming);
  // An index lives in its table's schema, so its own name is never qualified.
  const index = (word: string): string => `"${naming.tablePrefix}${word}"`;
  const id = 'bigint generated always as identity primary key';
  return [
    `create table ${tables.evidence} (
      id ${id},
      occurred_at timestamptz(3) not null,
      day char(10) not null,
      control varchar(20) not null,
      outcome varchar(10) not null,
      mode varchar(10) not null,
      origin varchar(20) not null,
      rule_id text,
      matched_rules text not null,
      errored_rule_ids text not null,
      errored boolean not null,
      principal_id text,
      application text,
      request_id text,
      run_id text,
      tool text,
      ruleset_version text not null,
      prompt_length bigint not null,
      duration_us bigint not null)`,
    `create index ${index('evidence_by_time')} on ${tables.evidence} (occurred_at desc, id desc)`,
    `create index ${index('evidence_by_control')} on ${tables.evidence} (control, id desc)`,
    `create index ${index('evidence_by_rule')} on ${tables.evidence} (rule_id, id desc)`,
    `create index ${index('evidence_by_principal')} on ${tables.evidence} (principal_id, id desc)`,
    `create index ${index('evidence_blocked')} on ${tables.evidence} (id desc) where outcome = 'blocked'`,
    `create index ${index('evidence_observed')} on ${tables.evidence} (id desc) where outcome = 'observed'`,

    `create table ${tables.content} (
      evidence_id bigint primary key references ${tables.evidence} (id),
      storage varchar(10) not null,
      prompt text not null,
      matched_span_start bigint,
      matched_span_end bigint,
      matched_text text)`,

    `create table ${tables.rejections} (
      id ${id},
      evidence_id bigint not null references ${tables.evidence} (id),
      tool text not null,
      principal_id text,
      application text,
      violations text not null,
      violation_count integer not null,
      enforced boolean not null,
      occurred_at timestamptz(3) not null)`,
    `create index ${index('rejections_by_time')} on ${tables.rejections} (occurred_at desc, id desc)`,
    `create index ${index('rejections_by_principal')} on ${tables.rejections} (principal_id, id desc)`,
    `create index ${index('rejections_by_tool')} on ${tables.rejections} (tool, id desc)`,

    `create table ${tables.outputCounts} (
      id ${id},
      evidence_id bigint not null references ${tables.evidence} (id),
      occurred_at timestamptz(3) not null,
      kind varchar(40) not null,
      detector text not null,
      enforced boolean not null,
      count bigint not null)`,
    `create index ${index('output_counts_by_time')} on ${tables.outputCounts} (occurred_at desc)`,

    `create table ${tables.approvals} (
      id ${id},
      reference text not null unique,
      token_hash text not null unique,
      open_key char(64) unique,
      status varchar(20) not null,
      run_id text,
      step_name text not null,
      tool text not null,
      tool_fingerprint text not null,
      arguments text not null,
      arguments_digest text not null,
      reversible boolean not null,
      idempotent boolean not null,
      warnings text not null,
      principal_id text,
      application text,
      request_id text,
      policy_revision text not null,
      created_at timestamptz(3) not null,
      expires_at timestamptz(3) not null,
      decision varchar(10),
      decided_by text,
      decided_at timestamptz(3),
      reason text,
      finished_at timestamptz(3),
      result text,
      error text)`,
    `create index ${index('approvals_by_status')} on ${tables.approvals} (status, id desc)`,
    `create index ${index('approvals_open')} on ${tables.approvals} (principal_id) where status = 'pending'`,

    `create table ${tables.settings} (key varchar(400) primary key, value text not null)`,
    `create table ${tables.settingsState} (id integer primary key, revision bigint not null)`,
    `insert into ${tables.settingsState} (id, revision) values (1, 0)`,
    `create table ${tables.settingChanges} (
      id ${id},
      actor_id text not null,
      key varchar(400) not null,
      old_value text,
      new_value text,
      request_id text,
      occurred_at timestamptz(3) not null)`,
    `create index ${index('setting_changes_by_key')} on ${tables.settingChanges} (key, id desc)`,

    `create table ${tables.outbox} (
      position ${id},
      event_id text not null,
      name varchar(80) not null,
      subject text not null,
      severity varchar(10) not null,
      occurred_at timestamptz(3) not null,
      payload text not null,
      audit_id bigint,
      attempts integer not null default 0,
      due_at timestamptz(3) not null default ${dialect.now},
      delivered_at timestamptz(3),
      last_error text)`,
    `create index ${index('outbox_waiting')} on ${tables.outbox} (position) where delivered_at is null`,
    `create index ${index('outbox_by_subject')} on ${tables.outbox} (subject, position) where delivered_at is null`,

    `create table ${tables.locks} (name varchar(40) primary key)`,
    `insert into ${tables.locks} (name) values ('parking')`,
  ];
}
