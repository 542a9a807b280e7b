import type {
  ApprovalDecisionData,
  ApprovalListData,
  PendingApproval,
} from '../../libs/contracts/src/api/approvals.responses.js';
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
import { approvalStatus, id, moment, nextCursor, principalId, runError, sha256 } from './wire-values.js';

const pending = object<PendingApproval>({
  approval_id: id,
  token: about(
    nullable(pattern('^[A-Za-z0-9_-]{43}$')),
    'Names the approval in the two routes that decide; `null` where only a notifier gets it.',
  ),
  run_id: nullable(text),
  step_name: text,
  status: approvalStatus,
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
  status: about(approvalStatus, '`executing` where the tool takes longer than ten seconds.'),
  decided_by: text,
  decided_at: moment,
  result: about(anything, 'What the tool returned, without secrets.'),
  error: about(runError, 'Why the tool failed: the decision stands all the same.'),
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
};

/** Calls that wait, and what decides them. */
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
} as const satisfies Record<string, RouteDescription>;
