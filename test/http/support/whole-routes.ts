import { API_ROUTES, ROUTE_KEYS, type ApiRoute } from '#contracts/api/api.routes.js';

/** All routes except the live stream, whose response does not end. */
export const WHOLE_ROUTE_KEYS = ROUTE_KEYS.filter((key) => (API_ROUTES[key] as ApiRoute).streams !== true);
