import type {
  ApprovalDecisionData,
  ApprovalDetailData,
  ApprovalFacts,
  ApprovalHistoryData,
  ApprovalListData,
  ApprovalResolutionData,
  PendingApproval,
} from '../../libs/contracts/src/api/approvals.responses.js';
import { APPROVAL_STATUSES, RESOLUTIONS } from '../../libs/contracts/src/approvals.js';
import {
  about,
  anything,
  boolean,
  choice,
  list,
  mapOf,
  nullable,
  object,
  pattern,
  text,
} from './json-schema.js';
import * as parameters from './parameters.js';
import { answer, type RouteDescription } from './route-description.js';
import { count, id, moment, nextCursor, principalId } from './wire-values.js';

const status = choice(APPROVAL_STATUSES);
const sha256 = pattern('^[0-9a-f]{64}$');

const pending = object<PendingApproval>({
  approval_id: id,
  token: about(
    nullable(pattern('^[A-Za-z0-9_-]{43}$')),
    'Names the approval in the two routes that decide; `null` where only a notifier gets it.',
  ),
  run_id: nullable(text),
  step_name: text,
  status,
  tool: text,
  arguments: about(mapOf(anything), 'Exactly what will run.'),
  arguments_digest: about(sha256, 'SHA-256 of the canonical arguments.'),
  reversible: boolean,
  warnings: about(list(text), 'What an approver could overlook in the arguments.'),
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
  status: about(status, '`executing` where the tool takes longer than ten seconds.'),
  decided_by: text,
  decided_at: moment,
  result: about(anything, 'What the tool returned, without secrets.'),
  error: about(
    nullable(object<NonNullable<ApprovalDecisionData['error']>>({ code: text, message: text })),
    'Why the tool failed: the decision stands all the same.',
  ),
});

const error = nullable(object<NonNullable<ApprovalFacts['error']>>({ code: text, message: text }));

const facts = {
  approval_id: id,
  run_id: nullable(text),
  step_name: text,
  status,
  tool: text,
  arguments_digest: about(sha256, 'SHA-256 of the canonical arguments.'),
  reversible: boolean,
  idempotent: about(boolean, 'The tool may run again where an instance died while it ran.'),
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
  finished_at: about(nullable(moment), 'When its outcome stood.'),
  resolved_by: about(nullable(text), 'Who settled an unknown outcome.'),
  resolved_at: nullable(moment),
  resolved_reason: nullable(text),
  error: about(error, 'Why the tool failed, or why its outcome is not known.'),
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
    message: 'The tool did not answer in time; whether it took effect is not known.',
  },
};

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
};

export const APPROVALS = {
  'approvals.index': {
    summary: 'Calls that wait for a human, newest first',
    query: [parameters.cursor, parameters.limit(200, 200)],
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
            arguments: { order_id: 'A-1001', amount: 49.9 },
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
    summary: 'Approve a parked call, and run it',
    description: 'The same actor approving again gets the stored outcome.',
    body,
    answer: answer<ApprovalDecisionData>('ApprovalDecisionData', decision, decided),
    errors: ['already_decided', 'executing', 'superseded', 'hitl_unavailable', 'self_approval', 'expired'],
  },
  'approvals.reject': {
    summary: 'Reject a parked call',
    description: 'Works with the bridge off, too. The same actor rejecting again gets the stored outcome.',
    body,
    answer: answer<ApprovalDecisionData>('ApprovalDecisionData', decision, {
      ...decided,
      decision: 'rejected',
      status: 'rejected',
      result: null,
    }),
    errors: ['already_decided', 'superseded', 'expired'],
  },
  'approvals.history': {
    summary: 'Calls that no longer wait, newest first',
    query: [
      parameters.cursor,
      parameters.limit(200, 50),
      parameters.approvalStatus,
      parameters.tool,
      parameters.actor,
    ],
    answer: answer<ApprovalHistoryData>(
      'ApprovalHistoryData',
      object({ entries: list(object<ApprovalFacts>(facts)), next_cursor: nextCursor }),
      { entries: [unknownOutcome], next_cursor: null },
    ),
  },
  'approvals.show': {
    summary: 'One approval, whatever its state',
    answer: answer<ApprovalDetailData>(
      'ApprovalDetailData',
      object({
        approval: object<ApprovalDetailData['approval']>({
          ...facts,
          arguments: about(nullable(mapOf(anything)), 'What was approved; `null` once erased.'),
          result: about(anything, 'What the tool returned, without secrets.'),
          attempts: about(count, 'How often a run was begun.'),
        }),
      }),
      {
        approval: {
          ...unknownOutcome,
          arguments: { order_id: 'A-1001', amount: 49.9 },
          result: null,
          attempts: 1,
        },
      },
    ),
  },
  'approvals.resolve': {
    summary: 'Settle an unknown outcome',
    description:
      'Say what the tool came to once that is known from its own records. The same actor saying the same again gets the stored answer.',
    body: {
      schema: {
        type: 'object',
        properties: {
          status: about(choice(RESOLUTIONS), 'What the call came to.'),
          reason: about({ ...text, minLength: 1, maxLength: 1000 }, 'How that is known.'),
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
