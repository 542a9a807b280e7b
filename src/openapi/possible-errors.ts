import type { ApiRoute } from '../../libs/contracts/src/api/api.routes.js';
import { ERROR_CODES, type ErrorCode } from '../../libs/contracts/src/errors.js';
import type { RouteDescription } from './route-description.js';

const EVERYWHERE: readonly ErrorCode[] = [
  'unauthenticated',
  'forbidden',
  'rate_limited',
  'store_unavailable',
  'internal',
];
const WITH_A_BODY: readonly ErrorCode[] = [
  'malformed_json',
  'body_too_large',
  'unsupported_media_type',
  'invalid_body',
];

/** Every code that a route can answer with: most of them follow from its shape. */
export function possibleErrors(route: ApiRoute, description: RouteDescription): readonly ErrorCode[] {
  const possible = new Set<ErrorCode>([
    ...EVERYWHERE,
    ...(route.body === 'none' ? [] : WITH_A_BODY),
    ...(route.writes ? (['actor_required'] as const) : []),
    ...(route.path.includes(':') ? (['not_found'] as const) : []),
    ...(description.query === undefined ? [] : (['invalid_query'] as const)),
    ...(description.storeless === true ? [] : (['query_timeout'] as const)),
    ...(description.errors ?? []),
  ]);
  return ERROR_CODES.filter((code) => possible.has(code));
}
