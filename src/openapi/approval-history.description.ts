import type {
  ApprovalDetailData,
  ApprovalFacts,
  ApprovalHistoryData,
  ApprovalResolutionData,
} from '../../libs/contracts/src/api/approvals.responses.js';
import { RESOLUTIONS } from '../../libs/contracts/src/approvals.js';
import { about, anything, boolean, choice, list, mapOf, nullable, object, text } from './json-schema.js';
import * as parameters from './parameters.js';
import { answer, type RouteDescription } from './route-description.js';
import {
  approvalStatus,
  count,
  id,
  moment,
  nextCursor,
  principalId,
  runError,
  sha256,
} from './wire-values.js';

const facts = {
  approval_id: id,
  run_id: nullable(text),
  step_name: text,
  status: approvalStatus,
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
  error: about(runError, 'Why the tool failed, or why its outcome is not known.'),
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

/** What became of calls, and what settles those of which nobody knows. */
export const APPROVAL_HISTORY = {
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
