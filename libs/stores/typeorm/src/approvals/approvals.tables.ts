import type { Dialect, Index } from '../dialects/dialect.js';
import { tablesOf, type TableNaming } from '../tables.js';

export function approvalTables(dialect: Dialect, naming: TableNaming): readonly string[] {
  const { types: type, tableEnd, head, indexable } = dialect;
  const tables = tablesOf(naming);
  const index = (given: Index): string => dialect.index(naming, given);
  return [
    `create table ${tables.approvals} (
      id ${type.growingId},
      reference ${type.key(100)} not null unique,
      token_hash ${type.key(100)} not null unique,
      sealed_token ${type.text},
      seal ${type.text} not null,
      open_key char(64) unique,
      open_slot varchar(80) unique,
      status varchar(20) not null,
      run_id ${type.text},
      step_name ${type.text} not null,
      tool ${type.text} not null,
      tool_fingerprint ${type.text} not null,
      arguments ${type.text},
      arguments_digest ${type.text} not null,
      reversible boolean not null,
      idempotent boolean not null,
      warnings ${type.text} not null,
      principal_id ${type.text},
      application ${type.text},
      request_id ${type.text},
      policy_revision ${type.text} not null,
      created_at ${type.time} not null,
      expires_at ${type.time} not null,
      decision varchar(10),
      decided_by ${type.text},
      decided_at ${type.time},
      reason ${type.text},
      decision_seal ${type.text},
      fence integer not null default 0,
      lease_until ${type.time},
      finished_at ${type.time},
      resolved_by ${type.text},
      resolved_at ${type.time},
      resolved_reason ${type.text},
      told_at ${type.time},
      telling_until ${type.time},
      tellings integer not null default 0,
      result ${type.text},
      error ${type.text})${tableEnd()}`,
    index({ name: 'approvals_by_status', on: 'approvals', columns: ['status', 'id desc'] }),
    index({
      name: 'approvals_open',
      on: 'approvals',
      columns: [head('principal_id')],
      where: `status = 'pending' and ${indexable('principal_id')}`,
    }),
    index({
      name: 'approvals_by_tool',
      on: 'approvals',
      columns: [head('tool'), 'id desc'],
      where: indexable('tool'),
    }),
    index({
      name: 'approvals_by_decider',
      on: 'approvals',
      columns: [head('decided_by'), 'id desc'],
      where: indexable('decided_by'),
    }),
    index({
      name: 'approvals_by_resolver',
      on: 'approvals',
      columns: [head('resolved_by'), 'id desc'],
      where: indexable('resolved_by'),
    }),
    index({ name: 'approvals_untold', on: 'approvals', columns: ['finished_at'], where: 'told_at is null' }),
    ...dialect.decidedOnce(naming, 'approvals'),
  ];
}
