import { API_ROUTES, ROUTE_KEYS, type ApiRoute } from '#contracts/api/api.routes.js';

/** Routes whose answer ends; the live stream has tests of its own. */
export const WHOLE_ROUTE_KEYS = ROUTE_KEYS.filter((key) => (API_ROUTES[key] as ApiRoute).streams !== true);
