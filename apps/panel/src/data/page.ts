/** Facts that the server writes into the page, and the address of the page. */
import { signal } from '@preact/signals';
import { useLocation } from 'preact-iso';
import { useCallback } from 'preact/hooks';

/** Path of the panel without a slash at the end, such as `/guardrails/panel`. */
export const PANEL_PATH = meta('panel') ?? '';

/** URL of the admin API. */
export const API_URL = meta('api') ?? '';

/** `session`: the host's cookie. `bearer`: a token that the operator enters. */
export const AUTH: 'session' | 'bearer' = meta('auth') === 'bearer' ? 'bearer' : 'session';

/** `panel.login_url`. */
export const LOGIN_URL = meta('login');

/**
 * The number of the newest event when the server sent the page: the live stream begins after it. Not set if the page
 * comes from the cache, as after "back".
 */
export const POSITION = meta('position') === null || isCached() ? undefined : Number(meta('position'));

function isCached(): boolean {
  const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  return navigation?.transferSize === 0;
}

/** The query of an address. */
export type Query = Readonly<Record<string, string>>;

/** Members of a query to set; `undefined` removes one. */
type Members = Readonly<Record<string, string | number | undefined>>;

const RANGE = ['last', 'from', 'to'];

/** The range of time in the address. Links keep it, and follow it because it is a signal. */
const range = signal(rangeInAddress());

export function noteRange(): void {
  range.value = rangeInAddress();
}

function rangeInAddress(): string {
  return new URLSearchParams(
    [...new URLSearchParams(location.search)].filter(([name]) => RANGE.includes(name)),
  ).toString();
}

/** The URL of a screen, such as `/audit/7`, with the range of the address unless the query has another one. */
export function href(path: string, query: Members = {}): string {
  const isRangeGiven = RANGE.some((name) => name in query);
  const members = [...Object.entries(query), ...(isRangeGiven ? [] : new URLSearchParams(range.value))];
  const given = members.filter(([, value]) => value !== undefined && value !== '');
  const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return `${PANEL_PATH}${path === '/' ? '' : path}${text === '' ? '' : `?${text}`}`;
}

function meta(name: string): string | null {
  return document.querySelector<HTMLMetaElement>(`meta[name="guardrails-${name}"]`)?.content ?? null;
}

/**
 * The query of the address: filters, tabs and open rows are stored there, so that an address can be sent to a
 * colleague.
 */
export function useAddress() {
  const { path, query, route } = useLocation();
  const screen = path.startsWith(PANEL_PATH) ? path.slice(PANEL_PATH.length) || '/' : path;
  /** Changes members of the query. */
  const change = (members: Members, { replace = false } = {}) =>
    route(href(screen, { ...query, ...members }), replace);
  /** Opens another screen. */
  const open = useCallback((to: string, members: Members = {}) => route(href(to, members)), [route]);
  return { screen, query, change, open };
}

/** The token of the link that was opened. It is sent only with a decision. */
export const linkToken = signal<{ readonly path: string; readonly token: string } | null>(null);

/** Removes `#token=…` from the address, so that no history and no screenshot contains it. */
export function takeToken(): void {
  const token = new URLSearchParams(location.hash.slice(1)).get('token');
  if (token === null) return;
  linkToken.value = { path: location.pathname, token };
  history.replaceState(history.state, '', location.pathname + location.search);
}
