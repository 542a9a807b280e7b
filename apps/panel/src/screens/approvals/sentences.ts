import { ApiError, ConnectionError, type ErrorCode, type PendingApproval } from '#client/index.js';
import { cut, dateTime, plural } from '../../text/format.js';
import type { Tone } from '../../ui/status.js';

export type ApprovalStatus = PendingApproval['status'];

interface Sentence {
  readonly what: string;
  readonly next: string;
}

/** Why a call cannot be decided, by error code. */
const REFUSALS: Partial<Readonly<Record<ErrorCode | 'already_voted', Sentence>>> = {
  already_voted: { what: 'You approved this call already.', next: 'Another operator has to approve it too.' },
  already_decided: { what: 'Somebody else decided this call first.', next: 'Nothing was changed.' },
  superseded: {
    what: 'The arguments, the tool, the policy or the settings changed after this call was requested.',
    next: 'It will not run. A newer approval is linked if there is one; otherwise it has to be requested again.',
  },
  expired: {
    what: 'The time to decide is over.',
    next: 'The call will not run. It has to be requested again.',
  },
  self_approval: {
    what: 'You requested or edited this call.',
    next: 'Another operator has to approve it. You can reject it.',
  },
  hitl_unavailable: {
    what: 'Approvals are off or not set up on this server.',
    next: 'The call can be approved when they are on again. You can reject it now.',
  },
  unauthenticated: {
    what: 'You are no longer logged in. Nothing was decided.',
    next: 'Log in in another tab, then press again. Your input is kept.',
  },
  forbidden: {
    what: 'You may not decide this call.',
    next: 'Ask a member of its group, or the deployer of the application for the right.',
  },
  approver_check_failed: {
    what: 'The server could not check whether you belong to the group of this call.',
    next: 'Nothing was decided. Try again in a moment.',
  },
  executing: { what: 'The call was approved and runs now.', next: 'Its result appears here.' },
  actor_required: {
    what: 'The server cannot identify you.',
    next: 'Nothing was decided. The deployer has to set `api.actor`.',
  },
  not_found: {
    what: 'This token does not belong to this call. Nothing was decided.',
    next: 'Open the link of the notification again, or enter its token.',
  },
};

export function refusalOf(code: string | null): Sentence | undefined {
  return code === null ? undefined : REFUSALS[code as ErrorCode];
}

/**
 * What an operator reads after a decision that failed; `undefined` if there is no specific sentence for the error.
 */
export function sentenceOf(error: Error): Sentence | undefined {
  if (error instanceof ConnectionError)
    return {
      what: 'The answer of the server was lost. The call may have been decided.',
      next: 'Press again: nothing is decided or run twice, and you get the stored outcome.',
    };
  if (!(error instanceof ApiError)) return undefined;
  const { decided_by: by, decided_at: at, decision } = error.details;
  if (error.code === 'already_decided' && typeof by === 'string' && typeof at === 'string')
    return {
      what: `${by} ${String(decision)} this call at ${dateTime(at)}.`,
      next: 'Nothing was changed.',
    };
  const sentence = refusalOf(error.code);
  // These codes have several reasons. The message of the server says which one applies.
  if (sentence !== undefined && (error.code === 'forbidden' || error.code === 'hitl_unavailable'))
    return { what: sentence.what, next: error.message };
  return sentence;
}

/** Whether the same request can no longer succeed. After a lost answer it can be repeated. */
export function isFinal(error: Error | undefined): boolean {
  return error instanceof ApiError && [404, 409, 410].includes(error.status);
}

export const STATUS_TONE: Readonly<Record<ApprovalStatus, Tone>> = {
  pending: 'waiting',
  approved: 'waiting',
  executing: 'waiting',
  executed: 'ok',
  failed: 'blocked',
  outcome_unknown: 'observed',
  rejected: 'blocked',
  expired: 'quiet',
  superseded: 'quiet',
};

export const STATUS_TEXT: Readonly<Record<ApprovalStatus, string>> = {
  pending: 'waits for a decision',
  approved: 'approved, starts soon',
  executing: 'runs now',
  executed: 'ran',
  failed: 'ran and failed',
  outcome_unknown: 'outcome unknown',
  rejected: 'rejected',
  expired: 'expired',
  superseded: 'superseded',
};

type Arguments = Readonly<Record<string, unknown>> | null;

const SHOWN_ARGUMENTS = 4;
const SHOWN_NAME = 40;
const SHOWN_VALUE = 60;

const isPlain = (value: unknown): boolean => value !== null && typeof value !== 'object';

/** `refund: amount 2000, order_id "A-1197"`: the tool with its first plain arguments. Quotes show where a text ends. */
export function callText(tool: string, given: Arguments): string {
  const all = Object.entries(given ?? {});
  const plain = all.filter(([, value]) => isPlain(value));
  const texts = plain
    .slice(0, SHOWN_ARGUMENTS)
    .map(([name, value]) => `${cut(name, SHOWN_NAME)} ${shownValue(value)}`);
  const more = all.length - texts.length;
  if (more > 0) texts.push(texts.length === 0 ? plural(more, 'argument') : `and ${more} more`);
  return texts.length === 0 ? tool : `${tool}: ${texts.join(', ')}`;
}

function shownValue(value: unknown): string {
  const text = cut(String(value), SHOWN_VALUE);
  return typeof value === 'string' ? JSON.stringify(text) : text;
}

/** Whether `callText` shows every argument uncut. */
export function isWhole(given: Arguments): boolean {
  const all = Object.entries(given ?? {});
  return (
    all.length <= SHOWN_ARGUMENTS &&
    all.every(
      ([name, value]) => isPlain(value) && name.length <= SHOWN_NAME && String(value).length <= SHOWN_VALUE,
    )
  );
}
