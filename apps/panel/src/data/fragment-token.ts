import { signal } from '@preact/signals';

/** The token of the link that was opened. It is sent only with a decision. */
export const linkToken = signal<{ readonly path: string; readonly token: string } | null>(null);

/** Removes `#token=…` from the address, so that no history and no screenshot contains it. */
export function takeToken(): void {
  const token = new URLSearchParams(location.hash.slice(1)).get('token');
  if (token === null) return;
  linkToken.value = { path: location.pathname, token };
  history.replaceState(history.state, '', location.pathname + location.search);
}
