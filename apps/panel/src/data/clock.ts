import { signal } from '@preact/signals';

/** The server's time minus the browser's, in milliseconds. Countdowns use it. */
const offset = signal(0);

/** The server's time, once a second while the page is visible. */
export const serverNow = signal(Date.now());

export function setServerTime(iso: string): void {
  offset.value = Date.parse(iso) - Date.now();
  serverNow.value = Date.now() + offset.value;
}

setInterval(() => {
  if (!document.hidden) serverNow.value = Date.now() + offset.value;
}, 1000);
