import type { Approval, ApprovalVote, Risk } from '#contracts/approvals/approvals.js';
import { escapeSlackMarkup } from '#contracts/common/text.js';
import { fits, line, plain, shortened } from './plain-text.js';
import {
  type ButtonAction,
  type CallKey,
  DIALOG,
  type DialogContext,
  REASON,
  writeCallKey,
  writeContext,
} from './slack-request.js';

/** Limits of Block Kit. */
const MAX_HEADER_LENGTH = 150;
const MAX_TEXT_LENGTH = 3000;
const MAX_FIELD_LENGTH = 2000;
const MAX_LINK_LENGTH = 3000;
/** The same limit as over HTTP. */
const MAX_REASON_LENGTH = 1000;

/** Whether messages contain the arguments of calls, and reasons. */
export type SlackContent = 'none' | 'arguments';

export interface ShownApproval {
  readonly approval: Approval;
  /** The votes that count. */
  readonly votes: readonly ApprovalVote[];
  readonly link: string | null;
}

interface Block {
  readonly type: string;
  readonly [member: string]: unknown;
}

export interface SlackMessage {
  /** For notifications. */
  readonly text: string;
  readonly blocks: readonly Block[];
}

/** The message of an approval in its current state. Contains plain texts only, so nothing becomes a mention or a link. */
export function approvalMessage(shown: ShownApproval, content: SlackContent): SlackMessage {
  const { approval } = shown;
  const title = titleOf(approval);
  const reason = content === 'arguments' ? approval.reason : null;
  return {
    text: escapeSlackMarkup(shortened(`${title} (approval ${approval.id})`, MAX_FIELD_LENGTH)),
    blocks: [
      { type: 'header', text: plain(title, MAX_HEADER_LENGTH) },
      ...riskBlocks(approval, content),
      { type: 'section', fields: fieldsOf(shown).map(([name, value]) => field(name, value)) },
      ...argumentBlocks(approval, content),
      section(stateOf(shown)),
      ...(reason === null ? [] : [section(`Reason: ${reason}`)]),
      ...actionBlocks(shown, content),
    ],
  };
}

/** A reminder or an escalation, below the message of the approval. */
export function noticeMessage({ approval, link }: ShownApproval, isEscalation: boolean): SlackMessage {
  const call = `Approval ${approval.id} (${line(approval.tool)})`;
  const words = isEscalation ? 'still pending, and escalated' : 'still pending';
  const text = `${call} is ${words}. It expires at ${timeText(approval.expiresAt)}.`;
  return {
    text: escapeSlackMarkup(shortened(text, MAX_FIELD_LENGTH)),
    blocks: [section(text), ...linkBlocks(link)],
  };
}

/** The dialog that requires a reason. */
export function reasonDialog(context: DialogContext): Block {
  const verb = context.verdict === 'approved' ? 'Approve' : 'Reject';
  return {
    type: 'modal',
    callback_id: DIALOG,
    private_metadata: writeContext(context),
    title: plain(`${verb} ${context.call.approvalId}`, 24),
    submit: plain(verb, 24),
    close: plain('Cancel', 24),
    blocks: [
      {
        type: 'input',
        block_id: REASON,
        label: plain('Reason', MAX_FIELD_LENGTH),
        element: {
          type: 'plain_text_input',
          action_id: REASON,
          multiline: true,
          min_length: 1,
          max_length: MAX_REASON_LENGTH,
        },
      },
    ],
  };
}

/** Whether a message shows everything that is decided, so that it may have buttons. */
export function isDecidableInSlack(approval: Approval, content: SlackContent): boolean {
  return content === 'arguments' && obstacleTo(approval) === null;
}

/** Why the arguments are not shown; `null` where they can be. */
function obstacleTo(approval: Approval): string | null {
  if (approval.arguments === null) return 'The arguments were erased.';
  if (approval.warnings.length > 0)
    return ['The call cannot be decided here, because it may deceive its reader:', ...approval.warnings]
      .map(line)
      .join('\n');
  const isWhole =
    fits(argumentsText(approval.arguments), MAX_TEXT_LENGTH) &&
    fits(riskText(approval, 'arguments'), MAX_TEXT_LENGTH) &&
    callFields(approval).every(([name, value]) => fits(fieldText(name, value), MAX_FIELD_LENGTH)) &&
    fits(titleOf(approval), MAX_HEADER_LENGTH);
  return isWhole ? null : 'The call cannot be decided here, because it is too long to be shown completely.';
}

/** What an approver must know first. Values of arguments stand in it where content may be shown. */
function riskText({ risk }: Approval, content: SlackContent): string {
  const sentences = risk.map(({ name, text }) => (content === 'none' ? RISKS[name] : line(text)));
  return [...new Set(sentences)].join('\n');
}

const RISKS: Readonly<Record<Risk['name'], string>> = {
  suspect_run: 'The run read a text that gives orders to the assistant.',
  unvouched_value: 'Nobody vouched for an argument.',
  unusual_amount: 'An amount is unusual for this tool.',
  new_recipient: 'A recipient is new for this tool.',
  personal_data: 'The arguments contain personal data.',
};

function riskBlocks(approval: Approval, content: SlackContent): readonly Block[] {
  return approval.risk.length === 0 ? [] : [section(riskText(approval, content))];
}

function argumentBlocks(approval: Approval, content: SlackContent): readonly Block[] {
  if (content === 'none')
    return [section('The arguments are not shown here, so the call cannot be decided here.')];
  const obstacle = obstacleTo(approval);
  if (obstacle !== null) return [section(obstacle)];
  const { headline } = approval;
  return [
    ...(headline === null ? [] : [section(line(headline.join('')))]),
    section(argumentsText(approval.arguments)),
  ];
}

function actionBlocks({ approval, link }: ShownApproval, content: SlackContent): readonly Block[] {
  if (approval.status !== 'pending' || !isDecidableInSlack(approval, content)) return linkBlocks(link);
  const approve = approval.requirement.isReasonRequired
    ? 'guardrails_approve_with_reason'
    : 'guardrails_approve';
  const key = { approvalId: approval.id, argumentsDigest: approval.argumentsDigest };
  const buttons = [
    button('Approve', approve, key, 'primary'),
    button('Reject', 'guardrails_reject', key, 'danger'),
  ];
  return [{ type: 'actions', elements: [...buttons, ...linkButtons(link)] }];
}

function linkBlocks(link: string | null): readonly Block[] {
  const elements = linkButtons(link);
  return elements.length === 0 ? [] : [{ type: 'actions', elements }];
}

function linkButtons(url: string | null): readonly Block[] {
  if (url === null || url.length > MAX_LINK_LENGTH) return [];
  return [{ type: 'button', action_id: 'guardrails_open', text: plain('Open in the panel', 75), url }];
}

function button(label: string, action: ButtonAction, call: CallKey, style: 'primary' | 'danger'): Block {
  return { type: 'button', action_id: action, text: plain(label, 75), value: writeCallKey(call), style };
}

function titleOf({ tool, status }: Approval): string {
  return status === 'pending'
    ? `Approval needed: ${line(tool)}`
    : `${line(tool)}: ${status.replaceAll('_', ' ')}`;
}

/** The fields that identify the call. */
function callFields(approval: Approval): readonly (readonly [name: string, value: string])[] {
  const { stepName, tool, principalId, application, editors } = approval;
  return [
    ['Approval', String(approval.id)],
    ['Requested by', principalId ?? 'unknown'],
    ...optional('Application', application),
    ...optional('Step', stepName === tool ? null : stepName),
    ...optional('Edited by', editors.length === 0 ? null : editors.join(', ')),
    ['Reversible', approval.reversible ? 'yes' : 'no'],
  ];
}

function fieldsOf({ approval, votes }: ShownApproval): readonly (readonly [name: string, value: string])[] {
  const { approvers, group } = approval.requirement;
  const voters = namesOf(votes);
  return [
    ...callFields(approval),
    ['Requested at', timeText(approval.createdAt)],
    ['Expires at', timeText(approval.expiresAt)],
    ...optional('Group', group),
    ...optional(
      'Approvals',
      approvers > 1 ? `${votes.length} of ${approvers}${voters && `: ${voters}`}` : null,
    ),
  ];
}

function optional(name: string, value: string | null): readonly (readonly [name: string, value: string])[] {
  return value === null ? [] : [[name, value]];
}

function stateOf({ approval, votes }: ShownApproval): string {
  const decider = line(approval.decidedBy ?? 'unknown');
  const by = votes.length > 0 ? line(namesOf(votes)) : decider;
  const resolved = approval.resolvedBy === null ? '' : ` Resolved by ${line(approval.resolvedBy)}.`;
  switch (approval.status) {
    case 'pending':
      return 'Waits for a decision.';
    case 'approved':
      return `Approved by ${by}. The call has not run yet.`;
    case 'executing':
      return `Approved by ${by}. The call is running.`;
    case 'executed':
      return `Approved by ${by}. The call ran.${resolved}`;
    case 'failed':
      return `Approved by ${by}. The tool failed.${resolved}`;
    case 'outcome_unknown':
      return `Approved by ${by}. The outcome is unknown: check it, and resolve it in the panel.`;
    case 'rejected':
      return `Rejected by ${decider}. The call did not run.`;
    case 'expired':
      return 'Expired before it was decided. The call did not run.';
    case 'superseded':
      return approval.supersededBy === null
        ? 'Superseded: the call, its policy or its tool changed, or it was not run in time. It did not run.'
        : `Superseded: the call was edited. Approval ${approval.supersededBy} waits in its place.`;
    default:
      return approval.status satisfies never;
  }
}

function namesOf(votes: readonly ApprovalVote[]): string {
  return votes.map(({ actorId }) => actorId).join(', ');
}

function argumentsText(args: Approval['arguments']): string {
  return JSON.stringify(args, null, 2);
}

function timeText(time: Date): string {
  return `${time.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

function section(text: string): Block {
  return { type: 'section', text: plain(text, MAX_TEXT_LENGTH) };
}

function field(name: string, value: string): Block {
  return plain(fieldText(name, value), MAX_FIELD_LENGTH);
}

function fieldText(name: string, value: string): string {
  return `${name}\n${line(value)}`;
}
