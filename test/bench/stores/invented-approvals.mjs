import { VALUES } from './invented-rows.mjs';

/** One decision in twenty is about a pending call. Two hundred calls are still pending. */
export const approvalsOf = (rows) => rows / 20;
const WAITING = 200;
const RARE = 20;

const { tool, actor } = VALUES;

/** Approvals over the same days as the rows; the newest are pending. Only their times differ between runs. */
export function inventedApprovals({ rows, end, days }) {
  const count = approvalsOf(rows);
  const rare = (offset) => `n % ${Math.floor(count / RARE)} = ${offset}`;
  const milliseconds = (days * 86_400_000) / count;
  return `
    insert into guardrails_approvals
      (reference, token_hash, call_mac, status, run_id, step_name, tool, tool_fingerprint, arguments, arguments_digest,
       reversible, idempotent, warnings, principal_id, application, policy_revision, requirement, overwritten, editors, created_at, expires_at, decision,
       decided_by, decided_at, finished_at, notified_at)
    select 'approval-' || n, md5('token ' || n), '', status, 'run-' || n, tool, tool, md5(tool),
      '{"order":"A-' || n || '"}', md5(n::text), false, false, '[]', 'customer-' || n % 20000, 'shop', 'revision',
      '{"rule":null,"approvers":1,"group":null,"isReasonRequired":false}', '[]', '[]', at,
      at + case when waits then interval '10 days' else interval '15 minutes' end,
      case when waits then null when status = 'rejected' then 'rejected' else 'approved' end,
      case when not waits then decider end, case when not waits then at end, case when not waits then at end,
      case when not waits then at end
    from (
      select n, n > ${count - WAITING} as waits,
        case when n > ${count - WAITING} then 'pending' when n % 10 = 0 then 'rejected' else 'executed' end as status,
        case when ${rare(7)} then '${tool.rare}' else (array['refund', 'quote', 'send_email'])[1 + n % 3] end as tool,
        case when ${rare(11)} then '${actor.rare}' else 'ops-' || n % 9 end as decider,
        (timestamptz '${end.toISOString()}' - (${count} - n) * ${milliseconds} * interval '1 millisecond')::timestamptz(3)
          as at
      from generate_series(1::bigint, ${count}) n) as numbered`;
}
