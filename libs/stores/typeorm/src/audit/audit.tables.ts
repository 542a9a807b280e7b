import type { Dialect } from '../dialects/dialect.js';
import { GROWING_ID, indexNaming, tablesOf, type TableNaming } from '../tables.js';

/**
 * Evidence refers to its principal by number and without a foreign key, so that erasing a principal is deleting its
 * one row; and no table refers to evidence by one, because what is written by one statement needs no proof.
 */
export function auditTables(dialect: Dialect, naming: TableNaming): readonly string[] {
  const tables = tablesOf(naming);
  const index = indexNaming(naming);
  return [
    // The digest stands in for the name in the index, because a name may be longer than an index takes.
    `create table ${tables.principals} (
      id ${GROWING_ID},
      digest bytea not null unique,
      name text not null)`,
    `create table ${tables.evidence} (
      id ${GROWING_ID},
      occurred_at timestamptz(3) not null,
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
      application text,
      request_id text,
      run_id text,
      tool text,
      ruleset_version text not null,
      prompt_commitment bytea not null,
      matched_text_commitment bytea,
      principal_commitment bytea,
      writer uuid not null,
      sequence bigint not null,
      seal bytea not null)`,
    `create index ${index('evidence_by_control')} on ${tables.evidence} (control, id desc)`,
    `create index ${index('evidence_by_rule')} on ${tables.evidence} (rule_id, id desc) where rule_id is not null`,
    `create index ${index('evidence_by_principal')} on ${tables.evidence} (principal_ref, id desc)
      where principal_ref is not null`,
    `create index ${index('evidence_by_application')} on ${tables.evidence} (application, id desc)
      where application is not null`,
    `create index ${index('evidence_blocked')} on ${tables.evidence} (id desc) where outcome = 'blocked'`,
    `create index ${index('evidence_observed')} on ${tables.evidence} (id desc) where outcome = 'observed'`,
    ...dialect.appendOnly(naming, 'evidence'),
    `create table ${tables.content} (
      evidence_id bigint primary key,
      storage varchar(10) not null,
      prompt text not null,
      matched_span_start bigint,
      matched_span_end bigint,
      matched_text text,
      salt bytea)`,
  ];
}
