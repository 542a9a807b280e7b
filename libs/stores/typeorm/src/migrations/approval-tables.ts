import { fitsIndex } from '../database/list-filters.js';
import { fill, ID, TIME, type IndexOf, type TableTexts } from './columns.js';

export function approvalTables(t: TableTexts, index: IndexOf): readonly string[] {
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
export function budgetTables(t: TableTexts, index: IndexOf): readonly string[] {
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
