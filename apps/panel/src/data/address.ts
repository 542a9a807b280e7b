import { useCallback } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { href, PANEL_PATH } from './page.js';

/**
 * The query of the address: filters, tabs and open rows are stored there, so that an address can be sent to a
 * colleague.
 */
export function useAddress() {
  const { path, query, route } = useLocation();
  const screen = path.startsWith(PANEL_PATH) ? path.slice(PANEL_PATH.length) || '/' : path;
  /** Changes members of the query; `undefined` removes one. */
  const change = useCallback(
    (members: Readonly<Record<string, string | number | undefined>>, { replace = false } = {}) =>
      route(href(screen, { ...query, ...members }), replace),
    [screen, query, route],
  );
  /** Opens another screen. */
  const open = useCallback(
    (to: string, members: Readonly<Record<string, string | number | undefined>> = {}) =>
      route(href(to, members)),
    [route],
  );
  return { screen, query, change, open };
}
