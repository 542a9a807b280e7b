import type {
  ApprovalDecisionData,
  ApprovalPolicyData,
  ApprovalRecordData,
  ApprovalReview,
  PendingApproval,
} from '#contracts/api/approvals.responses.js';
import { ERROR_CODES } from '#contracts/errors.js';
import {
  about,
  anything,
  approvalStatus,
  boolean,
  choice,
  count,
  id,
  list,
  mapOf,
  moment,
  nullable,
  object,
  pattern,
  principalId,
  runError,
  sha256,
  text,
} from '../openapi/json-schema.js';

export const policy = object<ApprovalPolicyData>({
  rule: about(nullable(count), 'Number of the rule of the policy, from 1; `null` if none decided.'),
  needed: about(count, 'Approvers that the call needs.'),
  given: about(count, 'Approvers whose approval counts.'),
  group: about(nullable(text), 'Only its members may decide; `null` for every operator.'),
  reason_required: about(boolean, 'Whether every decision needs a reason.'),
});

export const token = about(
  nullable(pattern('^[A-Za-z0-9_-]{43}$')),
  'Identifies the approval when it is approved or rejected; `null` if only a notifier receives it.',
);

export const decisions = about(
  list(
    object<ApprovalRecordData>({
      decision: choice(['approved', 'rejected']),
      decided_by: text,
      decided_at: moment,
      reason: nullable(text),
      counts: about(boolean, '`false` for a vote whose author lost the right to decide, or that was forged.'),
    }),
  ),
  'Votes and the decision, oldest first.',
);

export const links = {
  audit_id: about(nullable(id), 'The audit entry of the request.'),
  policy,
  decisions,
  supersedes: about(nullable(id), 'The approval that this proposal replaced.'),
  superseded_by: about(nullable(id), 'The proposal that replaced this call.'),
  edited_by: about(nullable(text), 'Who made this proposal.'),
  edit_reason: nullable(text),
};

export const review = {
  requested_arguments: about(
    nullable(mapOf(anything)),
    'What the model requested, before owner keys were overwritten; `null` once erased.',
  ),
  overwritten: about(
    list(object<ApprovalReview['overwritten'][number]>({ path: text, from: anything, to: anything })),
    'Owner keys of the request that the firewall replaced, by JSON pointer.',
  ),
  can_decide: about(
    boolean,
    'Whether the caller can approve the call now. Rights that `api.middleware` checks are not included.',
  ),
  cannot_decide_reason: about(
    nullable(choice([...ERROR_CODES, 'already_voted'])),
    'Why the caller cannot approve: the code of the error, or that the vote of the caller counts already.',
  ),
};

export const pending = object<PendingApproval>({
  ...links,
  ...review,
  approval_id: id,
  token,
  run_id: nullable(text),
  step_name: text,
  status: approvalStatus,
  tool: text,
  arguments: about(mapOf(anything), 'The exact arguments that will run.'),
  arguments_digest: about(sha256, 'SHA-256 of the canonical arguments.'),
  reversible: boolean,
  warnings: about(
    list(text),
    'What an approver can overlook in the arguments. If the call or its policy changed, the first one says that the call will not run.',
  ),
  principal_id: nullable(principalId),
  application: nullable(text),
  policy_revision: about(text, 'The policy under which the call was requested.'),
  created_at: moment,
  expires_at: moment,
  requested_ago: text,
  expires_in: text,
});

export const decision = object<ApprovalDecisionData>({
  decision: choice(['approved', 'rejected']),
  approval_id: id,
  run_id: nullable(text),
  tool: text,
  status: about(
    approvalStatus,
    '`executing` if the tool takes longer than ten seconds; `pending` if more approvers are needed.',
  ),
  decided_by: text,
  decided_at: moment,
  result: about(anything, 'What the tool returned, without secrets.'),
  error: about(runError, 'Why the tool failed. The decision stands.'),
  policy,
});

export const facts = {
  ...links,
  approval_id: id,
  run_id: nullable(text),
  step_name: text,
  status: approvalStatus,
  tool: text,
  arguments_digest: about(sha256, 'SHA-256 of the canonical arguments.'),
  reversible: boolean,
  idempotent: about(
    boolean,
    'Whether the tool may run again after an instance stopped unexpectedly during the run.',
  ),
  warnings: list(text),
  principal_id: nullable(principalId),
  application: nullable(text),
  request_id: nullable(text),
  policy_revision: text,
  created_at: moment,
  expires_at: moment,
  decision: nullable(choice(['approved', 'rejected'])),
  decided_by: nullable(text),
  decided_at: nullable(moment),
  reason: nullable(text),
  finished_at: about(nullable(moment), 'When the outcome was final.'),
  resolved_by: about(nullable(text), 'Who resolved an unknown outcome.'),
  resolved_at: nullable(moment),
  resolved_reason: nullable(text),
  error: about(runError, 'Why the tool failed, or why its outcome is unknown.'),
};
