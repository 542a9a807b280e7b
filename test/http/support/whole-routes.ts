import { API_ROUTES, ROUTE_KEYS, type ApiRoute, type RouteKey } from '#contracts/api/api.routes.js';

/** All routes whose answer is one envelope: without the live stream and the export. */
export const WHOLE_ROUTE_KEYS = ROUTE_KEYS.filter((key) => (API_ROUTES[key] as ApiRoute).beside !== true);

/** No row has these ids and names. A sink is a part of the host, so that every test has it. */
const UNKNOWN: Readonly<Record<string, string>> = {
  id: '1',
  approval_id: '1',
  token: 'A'.repeat(43),
  name: 'siem',
};

/** The path of a route with these parameters, or with those that name no row. */
export function pathOf(key: RouteKey, values: Readonly<Record<string, string>> = UNKNOWN): string {
  return API_ROUTES[key].path.replaceAll(/:(\w+)/g, (_, name: string) => values[name] ?? 'unknown');
}

/** Whether a route is about one row, which `pathOf` does not name. */
export function isAboutOneRow(key: RouteKey): boolean {
  return /:(?!name)/.test(API_ROUTES[key].path);
}
