import type { ApprovalDecisionData, GuardrailsClient, PendingApproval } from '#client/index.js';
import { API_OPTIONS, apiClient } from '../shared/api.js';
import { printResult, UsageError, type Command, type Session } from '../shared/command.js';
import { printable } from '../shared/text-input.js';

export const approvalListCommand: Command = {
  name: 'approvals list',
  summary:
    'Lists up to 200 calls that wait for a decision, the gravest risk first, with arguments and warnings.',
  options: { ...API_OPTIONS, json: { help: 'Prints one JSON object per call.' } },
  examples: ['nest-guardrails approvals list --json | jq .approval_id'],
  exits: ['The list is complete.', null, 'The request failed.'],

  async run(session) {
    const { options, terminal } = session;
    const { data } = await apiClient(session).call('approvals.index', { query: { sort: 'risk' } });
    for (const call of data.pending)
      terminal.print(options.has('json') ? JSON.stringify(withoutToken(call)) : callLines(call));
    if (data.pending.length === 0 && !options.has('json')) terminal.print('No call waits for a decision.');
    return 0;
  },
};

const DECISION_OPTIONS = {
  ...API_OPTIONS,
  id: { value: 'NUMBER', help: 'The approval, by its number in the list.' },
};

const TOKEN_DETAILS =
  'With hitl.token_delivery out_of_band, set GUARDRAILS_APPROVAL_TOKEN to the token that the approvers received.';

export const approveCommand: Command = {
  name: 'approvals approve',
  summary: 'Approves a pending call, which then runs if no further approver is needed.',
  positionals: ['id'],
  details: [TOKEN_DETAILS],
  options: { ...DECISION_OPTIONS, reason: { value: 'TEXT', help: 'The reason, if the policy needs one.' } },
  examples: ['nest-guardrails approvals approve 17 --reason "order was returned"'],
  exits: [
    'The decision is recorded, and the call ran, runs, or waits for further approvers.',
    'The call failed, or its outcome is unknown.',
    'The request failed.',
  ],

  run: (session) => decide('approvals.approve', session),
};

export const rejectCommand: Command = {
  name: 'approvals reject',
  summary: 'Rejects a pending call, which then never runs.',
  positionals: ['id'],
  details: [TOKEN_DETAILS],
  options: { ...DECISION_OPTIONS, reason: { value: 'TEXT', help: 'The reason.' } },
  examples: ['nest-guardrails approvals reject 17 --reason "wrong customer"'],
  exits: ['The call is rejected.', null, 'The request failed.'],

  run: (session) => decide('approvals.reject', session),
};

async function decide(route: 'approvals.approve' | 'approvals.reject', session: Session): Promise<number> {
  const { options, environment } = session;
  const id = options.requiredId('id');
  const client = apiClient(session);
  const token = environment['GUARDRAILS_APPROVAL_TOKEN'] || (await tokenOf(id, client, session));
  const body = { reason: options.text('reason'), approval_id: id };
  const { data } = await client.call(route, { params: { token }, body });
  printResult(session, data, decisionLine(data));
  return data.status === 'failed' || data.status === 'outcome_unknown' ? 1 : 0;
}

async function tokenOf(id: number, client: GuardrailsClient, { terminal }: Session): Promise<string> {
  for await (const { pending } of client.pages('approvals.index')) {
    const call = pending.find(({ approval_id: each }) => each === id);
    if (call?.token === null)
      throw new UsageError(
        'The API does not show the token of this approval. Set GUARDRAILS_APPROVAL_TOKEN to the token that the approvers received.',
      );
    if (call === undefined) continue;
    riskLines(call).forEach((line) => terminal.printError(line));
    return call.token;
  }
  throw new Error(
    `Approval ${id} does not wait for a decision. Run approvals list for those that do; the panel shows the others.`,
  );
}

/** A token in the output of a pipeline could end in a log. */
function withoutToken(call: PendingApproval): object {
  return { ...call, token: undefined };
}

function riskLines({ approval_id: id, risk }: PendingApproval): readonly string[] {
  return risk.map(({ text }) => `${id}: risk: ${printable(text)}`);
}

function callLines(call: PendingApproval) {
  const { needed, given, group } = call.policy;
  return [
    ...riskLines(call),
    ...(call.headline === null ? [] : [printable(call.headline.join(''))]),
    `${call.approval_id}: ${printable(call.tool)} ${printable(call.arguments)}`,
    `  requested ${call.requested_ago} by ${printable(call.principal_id)}, expires ${call.expires_in}, ${given} of ${needed} approvals${group === null ? '' : `, group ${printable(group)}`}`,
    ...call.overwritten.map(
      ({ path, from, to }) => `  overwritten ${printable(path)}: ${printable(from)} became ${printable(to)}`,
    ),
    ...call.warnings.map((warning) => `  warning: ${printable(warning)}`),
    ...(call.can_decide ? [] : [`  you cannot approve it: ${call.cannot_decide_reason ?? 'unknown'}`]),
  ].join('\n');
}

function decisionLine({ approval_id, decision, status, decided_by, error, policy }: ApprovalDecisionData) {
  const outcome =
    status === 'pending' ? `${policy.given} of ${policy.needed} approvals` : status.replace('_', ' ');
  const line = `Approval ${approval_id} was ${decision} by ${decided_by}: ${outcome}.`;
  return error === null ? line : `${line} ${error.code}: ${printable(error.message)}`;
}
