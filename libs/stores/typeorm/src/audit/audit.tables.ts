import type { Dialect } from '../dialects/dialect.js';
import { GROWING_ID, indexNaming, tablesOf, type TableNaming } from '../tables.js';

export function auditTables(_dialect: Dialect, naming: TableNaming): readonly string[] {
  const tables = tablesOf(naming);
  const index = indexNaming(naming);
  return [
    `create table ${tables.evidence} (
      id ${GROWING_ID},
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
  ];
}
