/** The number of calls that wait for approval: navigation, title and notifications of the browser show it. */
import { effect, signal } from '@preact/signals';
import { useEffect, useLayoutEffect } from 'preact/hooks';
import type { OverviewData } from '#client/index.js';
import type { ModeName } from '#contracts/common/control-mode.js';
import { plural } from '../text/format.js';
import { setServerTime } from './clock.js';
import { useLive } from './live.js';
import { inTurn } from './requests.js';
import { client, signIns } from './session.js';
import { keep, recall } from './storage.js';

/** Calls that wait for approval, as last read. Shown in the navigation and in the title of the tab. */
export const pendingApprovals = signal(0);

/** The freezes in force, as last read. Shown above every screen. */
export const freezes = signal<OverviewData['freezes']>([]);

/** The effective mode of approvals; `null` until it is read. */
export const approvalsMode = signal<ModeName | null>(null);

/** Name of the open screen. */
export const screenTitle = signal('Guardrails');

effect(() => {
  const waiting = pendingApprovals.value;
  document.title = `${waiting > 0 ? `(${waiting}) ` : ''}${screenTitle.value} · Guardrails`;
});

const FREEZE = 'guardrails.freeze.';

let hasRead = false;

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
    if (events.length === 0 || events.some(({ name }) => isOfApprovals(name) || name.startsWith(FREEZE)))
      readWaiting();
  });
}

/** Reads the figures now. A screen is usable without them, so a failure is not shown: the next event or login reads again. */
export const readFigures = inTurn(() =>
  client.call('overview').then(
    ({ data }) => noteOverview(data),
    () => undefined,
  ),
);

function readWaiting(): void {
  if (!isOverviewOpen) readFigures();
}

export function noteOverview({ as_of: now, approvals, controls, freezes: standing }: OverviewData): void {
  setServerTime(now);
  freezes.value = standing;
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

const WANTED = 'guardrails.notifications';

export const HAS_NOTIFICATIONS = 'Notification' in globalThis;

export function areNotificationsOn(): boolean {
  return HAS_NOTIFICATIONS && Notification.permission === 'granted' && recall('local', WANTED) === 'on';
}

/** Asks the browser for the permission; resolves with whether notifications are on. */
export async function switchNotifications(isOn: boolean): Promise<boolean> {
  const isAllowed = isOn && (await Notification.requestPermission()) === 'granted';
  keep('local', WANTED, isAllowed ? 'on' : 'off');
  return isAllowed;
}

/** Contains nothing of the calls, because it may be shown on a locked screen. Tabs replace each other's. */
function notifyOfWaiting(waiting: number): void {
  if (!document.hidden || !areNotificationsOn()) return;
  const options = {
    body: `${plural(waiting, 'call')} to decide`,
    tag: 'guardrails-approvals',
    renotify: true,
  };
  try {
    new Notification('Guardrails', options).addEventListener('click', () => focus());
  } catch {
    // Chrome on Android throws here, because it shows notifications of service workers only.
  }
}
