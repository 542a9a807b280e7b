import type { ApiRoute } from '#contracts/api/api.routes.js';
import { ERROR_CODES, type ErrorCode } from '#contracts/common/errors.js';
import type { JsonSchema } from '#contracts/common/schema.js';
import type { Parameter } from './parameters.js';

/** The `data` of a successful answer. */
export interface Answer {
  /** The name of the schema among the components, and of the wire type. */
  readonly name: string;
  readonly schema: JsonSchema;
  readonly example: unknown;
}

/** The documentation of a route beyond the list of routes. */
export interface RouteDescription {
  readonly summary: string;
  readonly description?: string;
  readonly query?: readonly Parameter[];
  readonly headers?: readonly Parameter[];
  readonly body?: { readonly schema: JsonSchema; readonly example: unknown };
  readonly answer: Answer;
  /** The answer has an `ETag`. */
  readonly etag?: true;
  /** Uses no store. */
  readonly storeless?: true;
  /** Errors beyond those that follow from the shape of the route. */
  readonly errors?: readonly ErrorCode[];
}

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

/** Every error code of a route. Most follow from its shape. */
export function possibleErrors(route: ApiRoute, description: RouteDescription): readonly ErrorCode[] {
  const possible = new Set<ErrorCode>([
    ...EVERYWHERE,
    ...(route.body === 'none' ? [] : WITH_A_BODY),
    ...(route.writes || route.bulk === true ? (['actor_required'] as const) : []),
    ...(route.path.includes(':') ? (['not_found'] as const) : []),
    ...(description.query === undefined ? [] : (['invalid_query'] as const)),
    ...(description.storeless === true ? [] : (['query_timeout'] as const)),
    ...(description.errors ?? []),
  ]);
  return ERROR_CODES.filter((code) => possible.has(code));
}
