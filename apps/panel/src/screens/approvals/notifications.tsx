import { useState } from 'preact/hooks';
import { areNotificationsOn, HAS_NOTIFICATIONS, switchNotifications } from '../../data/notifications.js';

/** The browser is asked for its permission only when this is pressed. */
export function Notifications() {
  const [isOn, setOn] = useState(areNotificationsOn);
  if (!HAS_NOTIFICATIONS) return null;
  const isDenied = Notification.permission === 'denied';
  return (
    <button
      type="button"
      aria-pressed={isOn}
      disabled={isDenied}
      onClick={() => void switchNotifications(!isOn).then(setOn)}
    >
      {isDenied ? 'Notifications blocked in the browser' : 'Notify me in this browser'}
    </button>
  );
}
