import type { IncomingHttpHeaders } from 'node:http';

const SAFE_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

export function isSafe(method: string): boolean {
  return SAFE_METHODS.has(method);
}

/**
 * Whether a page of our own sent this. A cookie goes along with whatever a browser sends, and `SameSite` knows no ports:
 * another server on this machine counts as the same site. So both headers that a page cannot forge are asked, and a
 * request that carries neither is refused.
 */
export function isSameOrigin(headers: IncomingHttpHeaders): boolean {
  const { 'sec-fetch-site': site, origin, host } = headers;
  if (site === undefined && origin === undefined) return false;
  if (site !== undefined && site !== 'same-origin') return false;
  return origin === undefined || (host !== undefined && hostOf(origin) === host);
}

function hostOf(origin: string): string | null {
  return URL.canParse(origin) ? new URL(origin).host : null;
}
