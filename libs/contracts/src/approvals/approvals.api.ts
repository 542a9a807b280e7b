/** Approvals: calls that wait for a decision, and what became of them. */
import { APPROVAL_STATUSES, HISTORY_STATUSES, RESOLUTIONS, RISK_NAMES, VERDICTS } from './approvals.js';
import { ERROR_CODES } from '../common/errors.js';
import { byDefault, filterText, OF_TOOL_CALLS, pageOf, RANGE } from '../common/query.js';
import {
  about,
  anything,
  boolean,
  choice,
  count,
  example,
  id,
  list,
  mapOf,
  moment,
  nextCursor,
  none,
  nullable,
  object,
  optional,
  pattern,
  principalId,
  sha256,
  type Static,
  text,
} from '../common/schema.js';

const CALL_FILTERS = {
  ...OF_TOOL_CALLS,
  run_id: optional(about(filterText, 'The run of the model.', 'run-2f61')),
  q: optional(
    about(
      filterText,
      'Literal text to find in the names and texts of the arguments; case-insensitive.',
      'previous instructions',
    ),
  ),
  ...RANGE,
};

export const PENDING_SORTS = ['newest', 'risk'] as const;

export const PendingQuery = object({
  ...pageOf(200, 200),
  sort: byDefault(
    'newest',
    about(
      choice(PENDING_SORTS),
      '`risk`: the call with the gravest risks first, then what expires first. Without `cursor` and `after`.',
      'risk',
    ),
  ),
  ...CALL_FILTERS,
});
export type PendingQuery = Static<typeof PendingQuery>;

export const HistoryQuery = object({
  ...pageOf(200, 50),
  status: optional(
    about(
      {
        ...choice(HISTORY_STATUSES),
        not: {
          const: 'pending',
          description: 'must not be pending: GET /approvals lists the calls that wait',
        },
      },
      'The status of the approval. Default: all of them. `GET /approvals` lists the pending ones.',
      'outcome_unknown',
    ),
  ),
  actor: optional(about(filterText, 'Who voted, decided, or resolved an unknown outcome.', 'ops-1')),
  ...CALL_FILTERS,
});
export type HistoryQuery = Static<typeof HistoryQuery>;

const verdict = choice(VERDICTS);
const decider = example(text, 'ops-1');

const callArguments = example(mapOf(anything), {
  order_id: 'A-1001',
  amount: 49.9,
  user_id: 'customer-42',
});

const error = nullable(
  object({
    code: text,
    message: text,
  }),
);

const risk = object({
  name: example(choice(RISK_NAMES), 'unvouched_value'),
  text: example(text, 'Nobody vouched for "audit@partner-check.example" in "to".'),
});

/** `path` is a JSON pointer; `null` stands for an argument that is missing. */
const ArgumentChange = object(
  {
    path: example(text, '/user_id'),
    from: example(anything, 'customer-7'),
    to: example(anything, 'customer-42'),
  },
  'ArgumentChange',
);
export type ArgumentChange = Static<typeof ArgumentChange>;

const ApprovalPolicyData = object(
  {
    rule: about(nullable(count), 'Number of the rule of the policy, from 1; `null` if none decided.'),
    needed: about(count, 'Approvers that the call needs.', 1),
    given: about(count, 'Approvers whose approval counts.', 1),
    group: about(nullable(text), 'Only its members may decide; `null` for every operator.'),
    reason_required: about(boolean, 'Whether every decision needs a reason.'),
  },
  'ApprovalPolicy',
);
export type ApprovalPolicyData = Static<typeof ApprovalPolicyData>;

const policyOfPending = example(ApprovalPolicyData, {
  rule: 2,
  needed: 2,
  given: 0,
  group: 'finance',
  reason_required: false,
});

/** What names a call, in every answer. */
const CALL = {
  approval_id: example(id, 12),
  run_id: example(nullable(text), 'run-2f61'),
  tool: example(text, 'refund'),
};

const status = choice(APPROVAL_STATUSES);

const token = about(
  nullable(pattern('^[A-Za-z0-9_-]{43}$')),
  'Identifies the approval when it is approved or rejected; `null` if only a notifier receives it.',
  'tq0pXkFJ1Tg2m8wWZ5l4zq7JrYc9uVhBnDs3aEo6KiM',
);

const digest = example(sha256, '9b0c8f2c6b4d5f0e1a7e3d2c4b5a69788796a5b4c3d2e1f00f1e2d3c4b5a6978');

const ApprovalRecordData = object({
  decision: verdict,
  decided_by: decider,
  decided_at: moment,
  reason: nullable(text),
  counts: about(
    boolean,
    '`false` for a vote whose author lost the right to decide, or that was forged.',
    true,
  ),
});

/** A vote or a decision, with its author. */
export type ApprovalRecordData = Static<typeof ApprovalRecordData>;

/** What the lists and the single approval have in common. */
const SHARED = {
  ...CALL,
  step_name: example(text, 'refund'),
  headline: about(
    nullable(list(text)),
    'What the tool says of the call: text and values of the call in turns, text first; `null` where it says nothing. It never replaces the arguments.',
    ['Refund ', '49.90', ' for order ', 'A-1001', ''],
  ),
  arguments_digest: about(digest, 'SHA-256 of the canonical arguments.'),
  reversible: boolean,
  principal_id: nullable(principalId),
  application: example(nullable(text), 'support-chat'),
  policy_revision: about(text, 'The policy under which the call was requested.', '4d1f0a9c2b7e'),
  created_at: moment,
  expires_at: moment,
  audit_id: about(nullable(id), 'The audit entry of the request.', 4711),
  policy: ApprovalPolicyData,
  decisions: about(list(ApprovalRecordData), 'Votes and the decision, oldest first.'),
  supersedes: about(nullable(id), 'The approval that this proposal replaced.'),
  superseded_by: about(nullable(id), 'The proposal that replaced this call.'),
  edited_by: about(nullable(text), 'Who made this proposal.'),
  edit_reason: nullable(text),
};

const overwritten = about(
  list(ArgumentChange),
  'Owner keys of the request that the firewall replaced, by JSON pointer.',
);

const REVIEW = {
  requested_arguments: about(
    nullable(mapOf(anything)),
    'What the model requested, before owner keys were overwritten; `null` once erased.',
    { order_id: 'A-1001', amount: 49.9, user_id: 'customer-7' },
  ),
  overwritten,
  can_decide: about(
    boolean,
    'Whether the caller can approve the call now. Rights that `api.middleware` checks are not included.',
    true,
  ),
  cannot_decide_reason: about(
    nullable(choice([...ERROR_CODES, 'already_voted'])),
    'Why the caller cannot approve: the code of the error, or that the vote of the caller counts already.',
  ),
};

const Review = object(REVIEW);

/** What an approver sees of a call besides its arguments. */
export type ApprovalReview = Static<typeof Review>;

/** The error code that an approval would return, or `already_voted`. */
export type CannotDecide = NonNullable<ApprovalReview['cannot_decide_reason']>;

const PendingApproval = object(
  {
    ...SHARED,
    ...REVIEW,
    status,
    token,
    policy: policyOfPending,
    decisions: example(SHARED.decisions, []),
    arguments: about(callArguments, 'The exact arguments that will run.'),
    warnings: about(
      list(text),
      'What an approver can overlook in the arguments. If the call or its policy changed, the first one says that the call will not run.',
    ),
    risk: about(list(risk), 'What an approver must know first, the gravest first.'),
    requested_ago: example(text, '2 minutes ago'),
    expires_in: example(text, 'in 58 minutes'),
  },
  'PendingApproval',
);
export type PendingApproval = Static<typeof PendingApproval>;

export const ApprovalListData = object(
  { pending: list(PendingApproval), next_cursor: nextCursor },
  'ApprovalListData',
);
export type ApprovalListData = Static<typeof ApprovalListData>;

const FACTS = {
  ...SHARED,
  status: example(status, 'outcome_unknown'),
  idempotent: about(
    boolean,
    'Whether the tool may run again after an instance stopped unexpectedly during the run.',
  ),
  warnings: list(text),
  risk: list(risk),
  request_id: example(nullable(text), 'req-7f3a'),
  decision: example(nullable(verdict), 'approved'),
  decided_by: nullable(decider),
  decided_at: nullable(moment),
  reason: nullable(text),
  finished_at: about(nullable(moment), 'When the outcome was final.'),
  resolved_by: about(nullable(text), 'Who resolved an unknown outcome.'),
  resolved_at: none(moment),
  resolved_reason: nullable(text),
  error: about(error, 'Why the tool failed, or why its outcome is unknown.', {
    code: 'timed_out',
    message: 'The tool did not answer in time; its effect is unknown.',
  }),
};

const ApprovalFacts = object(FACTS, 'ApprovalFacts');

/** An approval that no longer waits. */
export type ApprovalFacts = Static<typeof ApprovalFacts>;

export const ApprovalHistoryData = object(
  { entries: list(ApprovalFacts), next_cursor: nextCursor },
  'ApprovalHistoryData',
);
export type ApprovalHistoryData = Static<typeof ApprovalHistoryData>;

export const ApprovalDetailData = object(
  {
    approval: object(
      {
        ...FACTS,
        ...REVIEW,
        can_decide: example(REVIEW.can_decide, false),
        cannot_decide_reason: example(REVIEW.cannot_decide_reason, 'already_decided'),
        arguments: about(nullable(callArguments), 'The approved arguments; `null` once erased.'),
        result: about(anything, 'What the tool returned, without secrets.', null),
        attempts: about(count, 'How often a run was started.', 1),
        changes: about(
          none(list(ArgumentChange)),
          'How the arguments differ from those of the superseded call, by JSON pointer.',
        ),
      },
      'Approval',
    ),
  },
  'ApprovalDetailData',
);
export type ApprovalDetailData = Static<typeof ApprovalDetailData>;

export const ApprovalDecisionData = object(
  {
    ...CALL,
    decision: verdict,
    status: about(
      status,
      '`executing` if the tool takes longer than ten seconds; `pending` if more approvers are needed.',
      'executed',
    ),
    decided_by: decider,
    decided_at: moment,
    result: about(anything, 'What the tool returned, without secrets.', { refunded: 49.9 }),
    error: about(error, 'Why the tool failed. The decision stands.'),
    policy: ApprovalPolicyData,
  },
  'ApprovalDecisionData',
);
export type ApprovalDecisionData = Static<typeof ApprovalDecisionData>;

export const ApprovalProposalData = object(
  {
    ...CALL,
    approval_id: example(id, 13),
    supersedes: example(id, 12),
    token,
    status,
    arguments: about(callArguments, 'The exact arguments that will run.'),
    arguments_digest: digest,
    overwritten: example(overwritten, []),
    policy: policyOfPending,
    edited_by: decider,
    edit_reason: example(text, 'Only one of the two items came back.'),
    expires_at: moment,
  },
  'ApprovalProposalData',
);
export type ApprovalProposalData = Static<typeof ApprovalProposalData>;

export const ApprovalResolutionData = object(
  {
    ...CALL,
    status: choice(RESOLUTIONS),
    resolved_by: example(text, 'ops-2'),
    resolved_at: moment,
    reason: example(text, 'The bank shows the payment under the idempotency key.'),
  },
  'ApprovalResolutionData',
);
export type ApprovalResolutionData = Static<typeof ApprovalResolutionData>;
