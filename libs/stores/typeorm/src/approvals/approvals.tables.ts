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
    `create table ${tables.locks} (name varchar(40) primary key)`,
    `insert into ${tables.locks} (name) values ('parking')`,
  ];
}
