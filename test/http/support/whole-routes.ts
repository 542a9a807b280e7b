import { API_ROUTES, ROUTE_KEYS, type ApiRoute } from '#contracts/api/api.routes.js';

/** All routes whose answer is one envelope: without the live stream and the export. */
export const WHOLE_ROUTE_KEYS = ROUTE_KEYS.filter((key) => (API_ROUTES[key] as ApiRoute).beside !== true);
