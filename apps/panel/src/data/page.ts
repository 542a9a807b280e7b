/** Facts that the server writes into the page. */

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

/** The URL of a screen, such as `/audit/7`. */
export function href(
  path: string,
  query: Readonly<Record<string, string | number | undefined>> = {},
): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== '');
  const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return `${PANEL_PATH}${path === '/' ? '' : path}${text === '' ? '' : `?${text}`}`;
}

function meta(name: string): string | null {
  return document.querySelector<HTMLMetaElement>(`meta[name="guardrails-${name}"]`)?.content ?? null;
}
