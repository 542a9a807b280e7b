import { plural } from '../text/format.js';
import { keep, recall } from './storage.js';

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
export function notifyOfWaiting(waiting: number): void {
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
