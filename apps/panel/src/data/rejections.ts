/** Rejections wait in the page before they are sent, so that they can be taken back. Leaving the page sends them. */
import { signal } from '@preact/signals';
import { serverNow } from './clock.js';
import { linkToken } from './page.js';
import { client, isSignedOut, noteFailure, signedIn } from './session.js';

const UNDO_MS = 10_000;

export interface Rejection {
  readonly calls: readonly { readonly approval_id: number; readonly tool: string; readonly token: string }[];
  readonly reason: string;
  /** By the clock of the server. */
  readonly sentAt: number;
  /** Not set once it is sent. */
  readonly timer: ReturnType<typeof setTimeout> | undefined;
  /** Why calls could not be rejected, by approval. */
  readonly errors: readonly (readonly [id: number, error: Error])[];
  /** Called with the number of calls that were rejected. */
  readonly onEnd: (rejected: number) => void;
}

/** Those that wait, are being sent, or failed. */
export const rejections = signal<readonly Rejection[]>([]);

export function isBeingRejected(id: number): boolean {
  return rejections.value.some(
    ({ calls, errors }) => errors.length === 0 && calls.some(({ approval_id: each }) => each === id),
  );
}

export function rejectSoon({ calls, reason, onEnd }: Pick<Rejection, 'calls' | 'reason' | 'onEnd'>): void {
  const sentAt = serverNow.peek() + UNDO_MS;
  const timer = setTimeout(() => void send(rejection), UNDO_MS);
  const rejection: Rejection = { calls, reason, sentAt, timer, errors: [], onEnd };
  rejections.value = [...rejections.value, rejection];
}

/** Takes back a rejection that waits, and forgets one that failed. */
export function drop(rejection: Rejection): void {
  clearTimeout(rejection.timer);
  replace(rejection);
}

/** Sends those that wait or are on their way, as the page is left. Rejecting a call twice is the same as once. */
export function sendAll(): void {
  for (const rejection of rejections.peek()) if (rejection.errors.length === 0) void send(rejection, true);
}
addEventListener('pagehide', sendAll);

/** All calls at once, because the page may be closed in between. */
export async function send(waiting: Rejection, keepalive = false): Promise<void> {
  const { calls, reason, timer, onEnd } = waiting;
  clearTimeout(timer);
  const sending: Rejection = { ...waiting, timer: undefined, errors: [] };
  const errors: Rejection['errors'][number][] = [];
  replace(waiting, sending);
  // Where the token of a link is the wrong one, the next attempt asks for another.
  linkToken.value = null;
  await Promise.all(
    calls.map(async ({ approval_id: id, token }) => {
      const body = { approval_id: id, ...(reason !== '' && { reason }) };
      try {
        await client.call('approvals.reject', { params: { token }, body, keepalive });
        if (isSignedOut.peek()) signedIn();
      } catch (error) {
        noteFailure(error);
        errors.push([id, error as Error]);
      }
    }),
  );
  replace(sending, ...(errors.length === 0 ? [] : [{ ...sending, errors }]));
  onEnd(calls.length - errors.length);
}

function replace(before: Rejection, ...after: readonly Rejection[]): void {
  rejections.value = rejections.value.flatMap((one) => (one === before ? after : [one]));
}
