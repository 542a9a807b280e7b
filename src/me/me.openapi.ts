import { API_ROUTES, type ApiRoute, ROUTE_KEYS, routeName } from '#contracts/api/api.routes.js';
import type { MeData } from '#contracts/api/responses.js';
import {
  about,
  boolean,
  choice,
  count,
  moment,
  nullable,
  object,
  record,
  text,
} from '../openapi/json-schema.js';
import { answer, type RouteDescription } from '../openapi/route-description.js';

const ROUTE_NAMES = ROUTE_KEYS.map(routeName);

const schema = object<MeData>({
  actor: about(
    nullable(text),
    'The id that writes of this caller are recorded under; `null` if the request has none.',
  ),
  permissions: about(
    record(ROUTE_NAMES, nullable(boolean)),
    'The answers of `api.permits`, by the name of the route; `null` where it gives none. They are information: your entries of `api.middleware` decide about each request.',
  ),
  four_eyes: about(boolean, '`hitl.four_eyes`: requesters cannot approve their own calls.'),
  token_delivery: about(choice(['list', 'out_of_band']), '`hitl.token_delivery`.'),
  live: about(choice(['off', 'security', 'all']), '`events.stream`: events that the live stream shows.'),
  sequence: about(
    count,
    'Sequence number of the newest event; 0 before the first. Pass it as `Last-Event-ID`.',
  ),
  now: about(moment, 'The time of the server.'),
});

const isRead = (route: ApiRoute): boolean => !route.writes && route.bulk !== true;

export const ME = {
  me: {
    summary: 'The caller, what the caller may do, and the time of the server',
    answer: answer<MeData>('MeData', schema, {
      actor: 'viewer-1',
      permissions: Object.fromEntries(
        ROUTE_KEYS.map((key) => [routeName(key), isRead(API_ROUTES[key])]),
      ) as MeData['permissions'],
      four_eyes: true,
      token_delivery: 'list',
      live: 'security',
      sequence: 4711,
      now: '2026-03-31T09:15:00.000Z',
    }),
  },
} as const satisfies Record<string, RouteDescription>;
