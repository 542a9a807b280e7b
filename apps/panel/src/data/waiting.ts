import { effect, signal } from '@preact/signals';
import { useEffect, useLayoutEffect } from 'preact/hooks';
import type { OverviewData } from '#client/index.js';
import type { ModeName } from '../text/names.js';
import { setServerTime } from './clock.js';
import { useLive } from './live.js';
import { notifyOfWaiting } from './notifications.js';
import { client, signIns } from './session.js';

/** Calls that wait for approval, as last read. Shown in the navigation and in the title of the tab. */
export const pendingApprovals = signal(0);

/** The effective mode of approvals; `null` until it is read. */
export const approvalsMode = signal<ModeName | null>(null);

/** Name of the open screen. */
export const screenTitle = signal('Guardrails');

effect(() => {
  const waiting = pendingApprovals.value;
  document.title = `${waiting > 0 ? `(${waiting}) ` : ''}${screenTitle.value} · Guardrails`;
});

let hasRead = false;
let isReading = false;
let isDue = false;

/** The overview reads these figures itself. */
let isOverviewOpen = false;

/** Used by the screen that reads the overview, in place of `useWaiting`, until it closes. */
export function useOverviewReads(): void {
  useLayoutEffect(() => {
    isOverviewOpen = true;
    return () => {
      isOverviewOpen = false;
    };
  }, []);
}

/** Keeps the number of pending calls and the server's time current, whichever screen is open. */
export function useWaiting(): void {
  useEffect(readWaiting, [signIns.value]);
  useLive((events) => {
    if (events.length === 0 || events.some(({ name }) => isOfApprovals(name))) readWaiting();
  });
}

/** One read at a time, so that answers keep their order under many events. */
function readWaiting(): void {
  if (isOverviewOpen) return;
  isDue = true;
  if (isReading) return;
  isReading = true;
  void (async () => {
    while (isDue) {
      isDue = false;
      await readOnce();
    }
    isReading = false;
  })();
}

/** A screen is usable without these figures, so a failure is not shown. */
async function readOnce(): Promise<void> {
  try {
    noteOverview((await client.call('overview')).data);
  } catch {
    // The next event or login reads again.
  }
}

export function noteOverview({ as_of: now, approvals, controls }: OverviewData): void {
  setServerTime(now);
  approvalsMode.value = controls.find(({ key }) => key === 'hitl')?.mode ?? null;
  const isMore = hasRead && approvals.pending > pendingApprovals.value;
  hasRead = true;
  pendingApprovals.value = approvals.pending;
  if (isMore) notifyOfWaiting(approvals.pending);
}

/** Whether an event can change what a screen of approvals shows. */
export function isOfApprovals(name: string): boolean {
  return /^guardrails\.(?:approval\.|tool\.parked|settings\.)/.test(name);
}
