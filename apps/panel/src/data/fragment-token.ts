import { signal } from '@preact/signals';

/** The token of the link that was opened. It leaves the memory of this page only with a decision. */
export const linkToken = signal<{ readonly path: string; readonly token: string } | null>(null);

/** Takes `#token=…` out of the address, so that it stays in no history and no screenshot. */
export function takeToken(): void {
  const token = new URLSearchParams(location.hash.slice(1)).get('token');
  if (token === null) return;
  linkToken.value = { path: location.pathname, token };
  history.replaceState(history.state, '', location.pathname + location.search);
}
