import { createHmac, timingSafeEqual } from 'node:crypto';
import type { ApprovalVerdict } from '#contracts/approvals/approvals.js';
import { ownMember, parsedJson } from '#contracts/common/text.js';

const MAX_BYTES = 64 * 1024;
const MAX_AGE_SECONDS = 5 * 60;

/** Headers as Node parses them. */
export type SlackHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

/** A call that a button or dialog decides. The digest ties it to the arguments that were shown. */
export interface CallKey {
  readonly approvalId: number;
  readonly argumentsDigest: string;
}

interface MessagePlace {
  readonly channel: string;
  readonly ts: string;
}

interface Author {
  readonly teamId: string;
  readonly userId: string;
}

export interface SlackClick extends Author {
  readonly kind: 'click';
  readonly action: ButtonAction;
  readonly call: CallKey;
  readonly place: MessagePlace;
  /** Opens a dialog within three seconds. */
  readonly triggerId: string;
}

export interface SlackSubmission extends Author, DialogContext {
  readonly kind: 'submission';
  readonly reason: string;
}

/** Anything else that Slack sends, such as a click on a link. */
interface OtherInteraction {
  readonly kind: 'other';
}

type SlackInteraction = SlackClick | SlackSubmission | OtherInteraction;

/** What a dialog keeps about the click that opened it. */
export interface DialogContext {
  readonly verdict: ApprovalVerdict;
  readonly call: CallKey;
  readonly place: MessagePlace;
}

/** `action_id` of each button that decides or opens a dialog. */
export const BUTTONS = {
  guardrails_approve: { verdict: 'approved', hasDialog: false },
  guardrails_approve_with_reason: { verdict: 'approved', hasDialog: true },
  guardrails_reject: { verdict: 'rejected', hasDialog: true },
} as const satisfies Readonly<
  Record<string, { readonly verdict: ApprovalVerdict; readonly hasDialog: boolean }>
>;

export type ButtonAction = keyof typeof BUTTONS;

/** `callback_id` of the dialog. */
export const DIALOG = 'guardrails_decision';
/** `block_id` and `action_id` of its only field. */
export const REASON = 'reason';

/** Why a request is refused, by HTTP status. */
export class RefusedRequest {
  constructor(readonly status: 400 | 401 | 413) {}
}

/** Verifies a request of Slack, then parses it. */
export function readInteraction(
  rawBody: Uint8Array | undefined,
  headers: SlackHeaders,
  signingSecret: string,
  now: Date,
): SlackInteraction | RefusedRequest {
  if (!ArrayBuffer.isView(rawBody)) return new RefusedRequest(400);
  if (rawBody.length > MAX_BYTES) return new RefusedRequest(413);
  if (!isFromSlack(rawBody, headers, signingSecret, now)) return new RefusedRequest(401);
  return interactionOf(rawBody) ?? new RefusedRequest(400);
}

function isFromSlack(body: Uint8Array, headers: SlackHeaders, signingSecret: string, now: Date): boolean {
  const timestamp = header(headers, 'x-slack-request-timestamp');
  if (!/^\d{1,12}$/.test(timestamp)) return false;
  if (Math.abs(now.getTime() / 1000 - Number(timestamp)) > MAX_AGE_SECONDS) return false;
  const digest = createHmac('sha256', signingSecret).update(`v0:${timestamp}:`).update(body).digest('hex');
  const expected = Buffer.from(`v0=${digest}`);
  const signature = Buffer.from(header(headers, 'x-slack-signature'));
  return signature.length === expected.length && timingSafeEqual(signature, expected);
}

/** Empty if the header is absent or repeated. */
function header(headers: SlackHeaders, name: string): string {
  const values = Object.entries(headers).filter(([key]) => key.toLowerCase() === name);
  const [, value] = values[0] ?? [];
  return values.length === 1 && typeof value === 'string' ? value : '';
}

function interactionOf(body: Uint8Array): SlackInteraction | null {
  const payloads = new URLSearchParams(Buffer.from(body).toString('utf8')).getAll('payload');
  const payload = payloads.length === 1 ? parsedJson(payloads[0] ?? '') : null;
  if (typeof payload !== 'object' || payload === null) return null;
  const author = { teamId: teamOf(payload), userId: text(payload, 'user', 'id') };
  switch (ownMember(payload, 'type')) {
    case 'block_actions':
      return clickOf(payload, author);
    case 'view_submission':
      return submissionOf(payload, author);
    default:
      return { kind: 'other' };
  }
}

/** Empty for users of another workspace, who can be members of a shared channel. */
function teamOf(payload: unknown): string {
  const team = text(payload, 'team', 'id');
  const home = ownMember(ownMember(payload, 'user'), 'team_id') ?? team;
  return home === team ? team : '';
}

function clickOf(payload: unknown, author: Author): SlackInteraction | null {
  const actions = ownMember(payload, 'actions');
  const [action, ...more] = Array.isArray(actions) ? (actions as readonly unknown[]) : [];
  if (action === undefined || more.length > 0) return null;
  const id = text(action, 'action_id');
  if (!isButton(id)) return { kind: 'other' };
  const call = readCallKey(text(action, 'value'));
  const place = { channel: text(payload, 'channel', 'id'), ts: text(payload, 'container', 'message_ts') };
  const triggerId = text(payload, 'trigger_id');
  if (call === null || !isPlace(place) || triggerId === '' || author.userId === '') return null;
  return { kind: 'click', action: id, call, place, triggerId, ...author };
}

function submissionOf(payload: unknown, author: Author): SlackInteraction | null {
  const view = ownMember(payload, 'view');
  if (text(view, 'callback_id') !== DIALOG) return { kind: 'other' };
  const context = readContext(text(view, 'private_metadata'));
  if (context === null || author.userId === '') return null;
  return {
    kind: 'submission',
    ...context,
    reason: text(view, 'state', 'values', REASON, REASON, 'value'),
    ...author,
  };
}

function isButton(action: string): action is ButtonAction {
  return Object.hasOwn(BUTTONS, action);
}

/** The `value` of a button. */
export function writeCallKey({ approvalId, argumentsDigest }: CallKey): string {
  return `${approvalId}.${argumentsDigest}`;
}

function readCallKey(value: string): CallKey | null {
  const [, id, argumentsDigest] = /^([1-9]\d{0,14})\.([0-9a-f]{64})$/.exec(value) ?? [];
  return id === undefined || argumentsDigest === undefined
    ? null
    : { approvalId: Number(id), argumentsDigest };
}

/** The `private_metadata` of a dialog. */
export function writeContext({ verdict, call, place }: DialogContext): string {
  return [verdict, writeCallKey(call), place.channel, place.ts].join(' ');
}

function readContext(metadata: string): DialogContext | null {
  const [verdict, key = '', channel = '', ts = '', ...more] = metadata.split(' ');
  const call = readCallKey(key);
  const place = { channel, ts };
  if (verdict !== 'approved' && verdict !== 'rejected') return null;
  return call === null || !isPlace(place) || more.length > 0 ? null : { verdict, call, place };
}

function isPlace({ channel, ts }: MessagePlace): boolean {
  return /^[A-Z0-9]{1,32}$/.test(channel) && /^\d{1,15}\.\d{1,9}$/.test(ts);
}

/** A text in nested objects; empty if there is none. */
function text(value: unknown, ...path: readonly string[]): string {
  const inner = path.reduce(ownMember, value);
  return typeof inner === 'string' ? inner : '';
}
