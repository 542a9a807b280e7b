import { ApiError, ConnectionError, type ErrorCode } from '#client/index.js';
import type { ApprovalStatus } from '#contracts/approvals/approvals.js';
import type { Approval } from '../../data/open-approval.js';
import type { Rejection } from '../../data/rejections.js';
import { dateTime, plural } from '../../text/format.js';
import { spaced } from '../../text/names.js';
import { errorText } from '../../ui/screen.js';
import type { Tone } from '../../ui/values.js';

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
  return REFUSALS[code as ErrorCode];
}

/** What an operator reads after a decision that failed; `undefined` if there is no specific sentence for the error. */
export function sentenceOf(error: Error): Sentence | undefined {
  if (error instanceof ConnectionError)
    return {
      what: 'The answer of the server was lost. The call may have been decided.',
      next: 'Press again: nothing is decided or run twice, and you get the stored outcome.',
    };
  if (!(error instanceof ApiError)) return undefined;
  const { decided_by: by, decided_at: at, decision } = error.details;
  const sentence = refusalOf(error.code);
  switch (error.code) {
    case 'already_decided':
      if (typeof by !== 'string' || typeof at !== 'string') return sentence;
      return {
        what: `${by} ${String(decision)} this call at ${dateTime(at)}.`,
        next: 'Nothing was changed.',
      };
    // These codes have several reasons. The message of the server says which one applies.
    case 'forbidden':
    case 'hitl_unavailable':
      return sentence && { what: sentence.what, next: error.message };
    default:
      return sentence;
  }
}

/** Whether the same request can no longer succeed. After a lost answer it can be repeated. */
export function isFinal(error: Error | undefined): boolean {
  return error instanceof ApiError && [404, 409, 410].includes(error.status);
}

/** What a status is called, and how it is shown. */
export const STATUSES: Readonly<Record<ApprovalStatus, readonly [tone: Tone, text: string]>> = {
  pending: ['waiting', 'waits for a decision'],
  approved: ['waiting', 'approved, starts soon'],
  executing: ['waiting', 'runs now'],
  executed: ['ok', 'ran'],
  failed: ['blocked', 'ran and failed'],
  outcome_unknown: ['observed', 'outcome unknown'],
  rejected: ['blocked', 'rejected'],
  expired: ['quiet', 'expired'],
  superseded: ['quiet', 'superseded'],
};

/** The title of what an approver must know, before and after the decision. */
export const RISKS = { before: 'Know this before you decide.', after: 'What was known before the decision.' };

/** What became of the approval of this operator. */
export function answerOf({ status, policy }: Pick<Approval, 'status' | 'policy'>): readonly [Tone, string] {
  switch (status) {
    case 'pending':
      return [
        'ok',
        `Your approval counts. ${plural(policy.needed - policy.given, 'more approval')} needed, from somebody else.`,
      ];
    case 'executed':
      return ['ok', 'You approved this call, and it ran.'];
    case 'failed':
      return ['blocked', 'You approved this call. It ran and failed.'];
    case 'outcome_unknown':
      return ['observed', 'You approved this call. Whether it ran is not known.'];
    default:
      return ['ok', 'You approved this call. Its outcome appears below.'];
  }
}

/** What happens to a call that is decided; `null` where its result says it. */
export function consequenceOf({ status, superseded_by: newer }: Approval): string | null {
  switch (status) {
    case 'approved':
    case 'executing':
      return 'The call runs. Its result appears here.';
    case 'expired':
      return 'The call was not decided in time. It will not run; it has to be requested again.';
    case 'superseded':
      return newer === null
        ? 'Settings, rights or arguments changed after the request. It will not run; it has to be requested again.'
        : null;
    default:
      return null;
  }
}

export function riskMark(name: string): string {
  return name === 'unvouched_value' ? 'untrusted value' : spaced(name);
}

/** Why approvals are needed. */
export function ruleText({ policy: { rule } }: Approval): string {
  return rule === null
    ? 'No rule of a policy applies; the tool is destructive.'
    : `Rule ${rule} of the policy requires them.`;
}

export function countdownText({ calls: [first, ...others], sentAt, timer }: Rejection, now: number): string {
  const what =
    others.length > 0 ? plural(others.length + 1, 'call') : `Approval ${first?.approval_id} (${first?.tool})`;
  const seconds = Math.max(0, Math.ceil((sentAt - now) / 1000));
  return `${what} will be rejected ${timer === undefined ? 'now' : `in ${seconds} s`}.`;
}

export const UNDONE = 'The rejection was taken back. Nothing was sent.';
export const NOT_REJECTED = 'The rejection failed.';

export function resultText(rejected: number): string {
  return rejected === 1
    ? 'You rejected this call. It will not run.'
    : `You rejected ${plural(rejected, 'call')}. They will not run.`;
}

/** Why one call was not rejected, and what to do next. */
export function failureOf(error: Error): string {
  const { message, nextStep } = errorText(error);
  const { what, next } = sentenceOf(error) ?? { what: message, next: nextStep };
  return `${what} ${next}`;
}

/** The most calls that one answer lists. */
export const MOST_CALLS = 200;
export const MORE_WAIT = `More calls wait: these ${MOST_CALLS} have the gravest risks or expire first.`;
