import type { Dialect } from '../dialects/dialect.js';
import { GROWING_ID, indexNaming, tablesOf, type TableNaming } from '../tables.js';

export function approvalTables(_dialect: Dialect, naming: TableNaming): readonly string[] {
  const tables = tablesOf(naming);
  const index = indexNaming(naming);
  return [
    `create table ${tables.approvals} (
      id ${GROWING_ID},
      reference text not null unique,
      token_hash text not null unique,
      sealed_token text,
      seal text not null,
      open_key char(64) unique,
      open_slot varchar(80) unique,
      status varchar(20) not null,
      run_id text,
      step_name text not null,
      tool text not null,
      tool_fingerprint text not null,
      arguments text,
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
      decision_seal text,
      fence integer not null default 0,
      lease_until timestamptz(3),
      finished_at timestamptz(3),
      resolved_by text,
      resolved_at timestamptz(3),
      resolved_reason text,
      told_at timestamptz(3),
      telling_until timestamptz(3),
      result text,
      error text)`,
    `create index ${index('approvals_by_status')} on ${tables.approvals} (status, id desc)`,
    `create index ${index('approvals_open')} on ${tables.approvals} (principal_id) where status = 'pending'`,
    `create index ${index('approvals_by_tool')} on ${tables.approvals} (tool, id desc)`,
    `create index ${index('approvals_by_decider')} on ${tables.approvals} (decided_by, id desc)`,
    `create index ${index('approvals_by_resolver')} on ${tables.approvals} (resolved_by, id desc) where resolved_by is not null`,
    `create index ${index('approvals_untold')} on ${tables.approvals} (finished_at) where told_at is null`,
  ];
}
