import type {
  ApprovalDecisionData,
  ApprovalDetailData,
  ApprovalFacts,
  ApprovalHistoryData,
  ApprovalListData,
  ApprovalProposalData,
  ArgumentChange,
  ApprovalResolutionData,
} from '#contracts/api/approvals.responses.js';
import { RESOLUTIONS } from '#contracts/approvals.js';
import {
  about,
  anything,
  approvalStatus,
  choice,
  count,
  id,
  list,
  mapOf,
  moment,
  nextCursor,
  nullable,
  object,
  sha256,
  text,
} from '../openapi/json-schema.js';
import * as parameters from '../openapi/parameters.js';
import { answer, type RouteDescription } from '../openapi/route-description.js';
import { decided, unknownOutcome, pendingCall, proposal, resolution } from './approvals.examples.js';
import { policy, token, review, pending, decision, facts } from './approvals.schemas.js';

const body = {
  schema: {
    type: 'object',
    properties: {
      reason: about(nullable({ ...text, maxLength: 1000 }), 'Stored with the decision.'),
      approval_id: about(nullable(id), 'A token of another approval decides nothing.'),
    },
  },
  example: { reason: 'Confirmed with the customer by phone.' },
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
    query: [parameters.cursor, parameters.after, parameters.limit(200, 200), ...callFilter],
    answer: answer<ApprovalListData>(
      'ApprovalListData',
      object({ pending: list(pending), next_cursor: nextCursor }),
      {
        pending: [pendingCall],
        next_cursor: null,
      },
    ),
  },
  'approvals.approve': {
    summary: 'Approve a pending call and run it',
    description:
      'If the policy requires several approvers, the call stays pending until the last one approves. If the same actor approves again, the answer is the stored outcome. Unknown members of the body are refused; `actor` is ignored.',
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
    summary: 'Reject a pending call',
    description:
      'Also works while Approvals are off. If the same actor rejects again, the answer is the stored outcome. Unknown members of the body are refused; `actor` is ignored.',
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
      parameters.after,
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
    summary: 'Propose other arguments for a pending call',
    description:
      'Replaces a pending call by a new approval with the given arguments. Firewall, schema, owner keys and policy judge them like a new call of the same requester. The proposal always waits, for at least as many approvers of the same group, and its editor counts as a requester. Unknown members of the body are refused.',
    body: {
      schema: {
        type: 'object',
        properties: {
          arguments: about(mapOf(anything), 'The complete arguments, for the same tool.'),
          reason: about({ ...text, minLength: 1, maxLength: 1000 }, 'Stored with the proposal.'),
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
      proposal,
    ),
    errors: ['already_decided', 'superseded', 'hitl_unavailable', 'expired', 'approver_check_failed'],
  },
  'approvals.resolve': {
    summary: 'Resolve an unknown outcome',
    description:
      'Records the outcome that the system behind the tool shows. If the same actor repeats the same resolution, the answer is the stored one. Unknown members of the body are refused.',
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
      resolution,
    ),
    errors: ['already_decided', 'executing', 'superseded'],
  },
} as const satisfies Record<string, RouteDescription>;
