import type {
  ApprovalDecisionData,
  ApprovalDetailData,
  ApprovalFacts,
  ApprovalHistoryData,
  ApprovalListData,
  ApprovalPolicyData,
  ApprovalProposalData,
  ApprovalRecordData,
  ApprovalReview,
  ArgumentChange,
  ApprovalResolutionData,
  PendingApproval,
} from '#contracts/api/approvals.responses.js';
import { RESOLUTIONS } from '#contracts/approvals.js';
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
  nextCursor,
  nullable,
  object,
  pattern,
  principalId,
  runError,
  sha256,
  text,
} from '../openapi/json-schema.js';
import * as parameters from '../openapi/parameters.js';
import { answer, type RouteDescription } from '../openapi/route-description.js';

const policy = object<ApprovalPolicyData>({
  rule: about(nullable(count), 'Number of the rule of the policy, from 1; `null` if none decided.'),
  needed: about(count, 'Approvers that the call needs.'),
  given: about(count, 'Approvers whose approval counts.'),
  group: about(nullable(text), 'Only its members may decide; `null` for every operator.'),
  reason_required: about(boolean, 'Whether every decision needs a reason.'),
});

const token = about(
  nullable(pattern('^[A-Za-z0-9_-]{43}$')),
  'Identifies the approval when it is approved or rejected; `null` if only a notifier receives it.',
);

const decisions = about(
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

const links = {
  audit_id: about(nullable(id), 'The audit entry of the request.'),
  policy,
  decisions,
  supersedes: about(nullable(id), 'The approval that this proposal replaced.'),
  superseded_by: about(nullable(id), 'The proposal that replaced this call.'),
  edited_by: about(nullable(text), 'Who made this proposal.'),
  edit_reason: nullable(text),
};

const notEdited = { supersedes: null, superseded_by: null, edited_by: null, edit_reason: null };

const review = {
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
    'The error that approving would be answered with, or that the vote of the caller counts already.',
  ),
};

const pending = object<PendingApproval>({
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
  warnings: about(list(text), 'Details of the arguments that are easy to overlook.'),
  principal_id: nullable(principalId),
  application: nullable(text),
  policy_revision: about(text, 'The policy under which the call was parked.'),
  created_at: moment,
  expires_at: moment,
  requested_ago: text,
  expires_in: text,
});

const decision = object<ApprovalDecisionData>({
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
  error: about(runError, 'Why the tool failed. The decision is kept.'),
  policy,
});

const body = {
  schema: {
    type: 'object',
    properties: {
      reason: about(nullable({ ...text, maxLength: 1000 }), 'Kept with the decision.'),
    },
  },
  example: { reason: 'Confirmed with the customer by phone.' },
};

const decided: ApprovalDecisionData = {
  decision: 'approved',
  approval_id: 12,
  run_id: 'run-2f61',
  tool: 'refund',
  status: 'executed',
  decided_by: 'ops-1',
  decided_at: '2026-03-31T09:15:02.118Z',
  result: { refunded: 49.9 },
  error: null,
  policy: { rule: null, needed: 1, given: 1, group: null, reason_required: false },
};

const facts = {
  ...links,
  approval_id: id,
  run_id: nullable(text),
  step_name: text,
  status: approvalStatus,
  tool: text,
  arguments_digest: about(sha256, 'SHA-256 of the canonical arguments.'),
  reversible: boolean,
  idempotent: about(boolean, 'Whether the tool may run again after an instance died during the run.'),
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

const unknownOutcome: ApprovalFacts = {
  approval_id: 12,
  run_id: 'run-2f61',
  step_name: 'refund',
  status: 'outcome_unknown',
  tool: 'refund',
  arguments_digest: '9b0c8f2c6b4d5f0e1a7e3d2c4b5a69788796a5b4c3d2e1f00f1e2d3c4b5a6978',
  reversible: false,
  idempotent: false,
  warnings: [],
  principal_id: 'customer-42',
  application: 'support-chat',
  request_id: 'req-7f3a',
  policy_revision: '4d1f0a9c2b7e',
  created_at: '2026-03-31T09:13:02.000Z',
  expires_at: '2026-03-31T10:13:02.000Z',
  decision: 'approved',
  decided_by: 'ops-1',
  decided_at: '2026-03-31T09:15:02.118Z',
  reason: null,
  finished_at: '2026-03-31T09:16:02.120Z',
  resolved_by: null,
  resolved_at: null,
  resolved_reason: null,
  error: {
    code: 'timed_out',
    message: 'The tool did not answer in time; its effect is unknown.',
  },
  ...notEdited,
  audit_id: 4711,
  policy: { rule: null, needed: 1, given: 1, group: null, reason_required: false },
  decisions: [
    {
      decision: 'approved',
      decided_by: 'ops-1',
      decided_at: '2026-03-31T09:15:02.118Z',
      reason: null,
      counts: true,
    },
  ],
};

const callFilter = [
  parameters.tool,
  parameters.principalId,
  parameters.application,
  parameters.runId,
  parameters.search('the names and texts of the arguments'),
  parameters.from,
  parameters.to,
];

export const APPROVALS = {
  'approvals.index': {
    summary: 'Pending calls, newest first',
    query: [parameters.cursor, parameters.limit(200, 200), ...callFilter],
    answer: answer<ApprovalListData>(
      'ApprovalListData',
      object({ pending: list(pending), next_cursor: nextCursor }),
      {
        pending: [
          {
            approval_id: 12,
            token: 'tq0pXkFJ1Tg2m8wWZ5l4zq7JrYc9uVhBnDs3aEo6KiM',
            run_id: 'run-2f61',
            step_name: 'refund',
            status: 'pending',
            tool: 'refund',
            arguments: { order_id: 'A-1001', amount: 49.9, user_id: 'customer-42' },
            requested_arguments: { order_id: 'A-1001', amount: 49.9, user_id: 'customer-7' },
            overwritten: [{ path: '/user_id', from: 'customer-7', to: 'customer-42' }],
            can_decide: true,
            cannot_decide_reason: null,
            audit_id: 4711,
            policy: { rule: 2, needed: 2, given: 0, group: 'finance', reason_required: false },
            decisions: [],
            ...notEdited,
            arguments_digest: '9b0c8f2c6b4d5f0e1a7e3d2c4b5a69788796a5b4c3d2e1f00f1e2d3c4b5a6978',
            reversible: false,
            warnings: [],
            principal_id: 'customer-42',
            application: 'support-chat',
            policy_revision: '4d1f0a9c2b7e',
            created_at: '2026-03-31T09:13:02.000Z',
            expires_at: '2026-03-31T10:13:02.000Z',
            requested_ago: '2 minutes ago',
            expires_in: 'in 58 minutes',
          },
        ],
        next_cursor: null,
      },
    ),
  },
  'approvals.approve': {
    summary: 'Approve a parked call and run it',
    description:
      'Where a policy asks for several approvers, an approval that is not the last leaves the call pending. The same actor approving again gets the stored outcome. Unknown members of the body are refused; `actor` is ignored.',
    body,
    answer: answer<ApprovalDecisionData>('ApprovalDecisionData', decision, decided),
    errors: [
      'already_decided',
      'executing',
      'superseded',
      'hitl_unavailable',
      'self_approval',
      'expired',
      'approver_check_failed',
    ],
  },
  'approvals.reject': {
    summary: 'Reject a parked call',
    description:
      'Also works with HITL off. The same actor rejecting again gets the stored outcome. Unknown members of the body are refused; `actor` is ignored.',
    body,
    answer: answer<ApprovalDecisionData>('ApprovalDecisionData', decision, {
      ...decided,
      decision: 'rejected',
      status: 'rejected',
      result: null,
      policy: { ...decided.policy, given: 0 },
    }),
    errors: ['already_decided', 'superseded', 'expired', 'approver_check_failed'],
  },
  'approvals.history': {
    summary: 'Calls that are no longer pending, newest first',
    query: [
      parameters.cursor,
      parameters.limit(200, 50),
      parameters.approvalStatus,
      parameters.actor,
      ...callFilter,
    ],
    answer: answer<ApprovalHistoryData>(
      'ApprovalHistoryData',
      object({ entries: list(object<ApprovalFacts>(facts)), next_cursor: nextCursor }),
      { entries: [unknownOutcome], next_cursor: null },
    ),
  },
  'approvals.show': {
    summary: 'One approval, in any state',
    answer: answer<ApprovalDetailData>(
      'ApprovalDetailData',
      object({
        approval: object<ApprovalDetailData['approval']>({
          ...facts,
          ...review,
          arguments: about(nullable(mapOf(anything)), 'The approved arguments; `null` once erased.'),
          result: about(anything, 'What the tool returned, without secrets.'),
          attempts: about(count, 'How often a run was started.'),
          changes: about(
            nullable(list(object<ArgumentChange>({ path: text, from: anything, to: anything }))),
            'How the arguments differ from those of the superseded call, by JSON pointer.',
          ),
        }),
      }),
      {
        approval: {
          ...unknownOutcome,
          arguments: { order_id: 'A-1001', amount: 49.9 },
          requested_arguments: { order_id: 'A-1001', amount: 49.9 },
          overwritten: [],
          can_decide: false,
          cannot_decide_reason: 'already_decided',
          result: null,
          attempts: 1,
          changes: null,
        },
      },
    ),
  },
  'approvals.propose': {
    summary: 'Propose other arguments for a parked call',
    description:
      'Replaces a pending call by a new approval with the given arguments. Firewall, schema, owner keys and policy judge them like a new call of the same requester. The proposal always waits, for at least as many approvers of the same group, and its editor counts as a requester. Unknown members of the body are refused.',
    body: {
      schema: {
        type: 'object',
        properties: {
          arguments: about(mapOf(anything), 'The complete arguments, for the same tool.'),
          reason: about({ ...text, minLength: 1, maxLength: 1000 }, 'Kept with the proposal.'),
        },
        required: ['arguments', 'reason'],
      },
      example: {
        arguments: { order_id: 'A-1001', amount: 25 },
        reason: 'Only one of the two items came back.',
      },
    },
    answer: answer<ApprovalProposalData>(
      'ApprovalProposalData',
      object({
        approval_id: id,
        supersedes: id,
        token,
        run_id: nullable(text),
        tool: text,
        status: approvalStatus,
        arguments: about(mapOf(anything), 'The exact arguments that will run.'),
        arguments_digest: sha256,
        overwritten: review.overwritten,
        policy,
        edited_by: text,
        edit_reason: text,
        expires_at: moment,
      }),
      {
        approval_id: 13,
        supersedes: 12,
        token: 'tq0pXkFJ1Tg2m8wWZ5l4zq7JrYc9uVhBnDs3aEo6KiM',
        run_id: 'run-2f61',
        tool: 'refund',
        status: 'pending',
        arguments: { order_id: 'A-1001', amount: 25, user_id: 'customer-42' },
        arguments_digest: '9b0c8f2c6b4d5f0e1a7e3d2c4b5a69788796a5b4c3d2e1f00f1e2d3c4b5a6978',
        overwritten: [],
        policy: { rule: 2, needed: 2, given: 0, group: 'finance', reason_required: false },
        edited_by: 'ops-1',
        edit_reason: 'Only one of the two items came back.',
        expires_at: '2026-03-31T10:20:00.000Z',
      },
    ),
    errors: ['already_decided', 'superseded', 'hitl_unavailable', 'expired', 'approver_check_failed'],
  },
  'approvals.resolve': {
    summary: 'Resolve an unknown outcome',
    description:
      'Records the outcome that the system behind the tool shows. The same actor repeating the same resolution gets the stored answer. Unknown members of the body are refused.',
    body: {
      schema: {
        type: 'object',
        properties: {
          status: about(choice(RESOLUTIONS), 'The outcome of the call.'),
          reason: about({ ...text, minLength: 1, maxLength: 1000 }, 'The evidence for the outcome.'),
        },
        required: ['status', 'reason'],
      },
      example: { status: 'executed', reason: 'The bank shows the payment under the idempotency key.' },
    },
    answer: answer<ApprovalResolutionData>(
      'ApprovalResolutionData',
      object({
        approval_id: id,
        run_id: nullable(text),
        tool: text,
        status: choice(RESOLUTIONS),
        resolved_by: text,
        resolved_at: moment,
        reason: text,
      }),
      {
        approval_id: 12,
        run_id: 'run-2f61',
        tool: 'refund',
        status: 'executed',
        resolved_by: 'ops-2',
        resolved_at: '2026-03-31T11:02:40.530Z',
        reason: 'The bank shows the payment under the idempotency key.',
      },
    ),
    errors: ['already_decided', 'executing', 'superseded'],
  },
} as const satisfies Record<string, RouteDescription>;
