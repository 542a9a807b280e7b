/** Reads one approval with its token; the one of an opened link is read while the page still loads. */
import type { ApprovalDetailData } from '#client/index.js';
import { haveEventsArrived } from './live.js';
import { PANEL_PATH } from './page.js';
import { client, isSignedOut } from './session.js';

export type Approval = ApprovalDetailData['approval'];

export interface OpenApproval {
  readonly approval: Approval;
  /** The token that decides the call; `null` if only a notification contains it. */
  readonly token: string | null;
}

/** The approval that this page was opened for, until its screen takes it. */
let linked: { readonly id: number; readonly reading: Promise<OpenApproval> } | null = null;

/** A screen without its data is painted after this time, because the data may take long. */
const LONGEST_WAIT_MS = 150;

/**
 * Notifications link to the page of an approval: its data is read while the frame and the screen are still loading.
 * Resolves when it is there or takes long, so that the first paint has it.
 */
export async function readLinkedApproval(): Promise<void> {
  const below = location.pathname.startsWith(PANEL_PATH) ? location.pathname.slice(PANEL_PATH.length) : '';
  const id = Number(/^\/approvals\/(\d{1,15})$/.exec(below)?.[1] ?? 0);
  if (id === 0 || isSignedOut.peek()) return;
  const reading = read(id);
  linked = { id, reading };
  const isSlow = new Promise<void>((resolve) => setTimeout(resolve, LONGEST_WAIT_MS));
  // The screen gets the same error, and shows it.
  await Promise.race([reading.catch(() => undefined), isSlow]);
}

export function loadApproval(id: number, signal: AbortSignal): Promise<OpenApproval> {
  const early = linked;
  linked = null;
  const isUsable = early?.id === id && !haveEventsArrived();
  return isUsable ? early.reading : read(id, signal);
}

async function read(id: number, signal?: AbortSignal): Promise<OpenApproval> {
  const [{ data }, { data: list }] = await Promise.all([
    client.call('approvals.show', { params: { approval_id: id }, signal }),
    client.call('approvals.index', { query: { cursor: id + 1, limit: 1 }, signal }),
  ]);
  const waiting = list.pending.find(({ approval_id: found }) => found === id);
  return { approval: data.approval, token: waiting?.token ?? null };
}
