/** What the OpenAPI document says of a route, written where its handler stands. */
import type { Type } from '@nestjs/common';
import {
  ROUTE_KEYS,
  type API_ROUTES,
  type ApiRoute,
  type RouteAnswer,
  type RouteKey,
} from '#contracts/api/api.routes.js';
import { ERROR_CODES, type ErrorCode } from '#contracts/common/errors.js';
import { exampleOf, type JsonSchema, type SchemaOf } from '#contracts/common/schema.js';
import { querySchemaOf } from '../http/parameters.js';
import { type Parameter, parametersOf, type PathParameters } from './parameters.js';

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
  /** Parameters of the path that are not described elsewhere, or mean something else here. */
  readonly path?: PathParameters;
  readonly answer: Answer;
  /** The answer has an `ETag`. */
  readonly etag?: true;
  /** Uses no store. */
  readonly storeless?: true;
  /** Errors beyond those that follow from the shape of the route. */
  readonly errors?: readonly ErrorCode[];
}

/** Exports, the live stream and plain text are sent by the handler itself. */
type Returned<Key extends RouteKey> = (typeof API_ROUTES)[Key] extends
  { readonly bulk: true } | { readonly streams: true } | { readonly plain: true }
  ? void
  : RouteAnswer<Key>;

interface Described {
  readonly key: RouteKey;
  readonly handler: string | symbol;
  readonly schema: JsonSchema;
  readonly words: Words;
}

/** @param query only where a function reads the query */
type Words = Omit<RouteDescription, 'answer'>;

const DESCRIBED = Symbol('nest-guardrails described handlers');

/**
 * Makes a method the handler of a route. If the schema differs from the type in the list of routes, or from what the
 * method returns, it does not compile.
 */
export function Answers<Key extends RouteKey>(key: Key, schema: SchemaOf<RouteAnswer<Key>>, words: Words) {
  return <Handler extends (...parameters: never[]) => Promise<Returned<Key>>>(
    controller: object,
    handler: string | symbol,
    _method: TypedPropertyDescriptor<Handler>,
  ) => {
    const others = (Reflect.getMetadata(DESCRIBED, controller) ?? []) as readonly Described[];
    Reflect.defineMetadata(DESCRIBED, [...others, { key, handler, schema, words }], controller);
  };
}

/** The routes of the list, as these controllers describe them. */
export function describedRoutes(
  ...controllers: readonly Type[]
): Readonly<Record<RouteKey, RouteDescription>> {
  const routes = controllers.flatMap(({ prototype }: { readonly prototype: object }) =>
    ((Reflect.getMetadata(DESCRIBED, prototype) ?? []) as readonly Described[]).map(
      ({ key, handler, schema, words }): readonly [RouteKey, RouteDescription] => {
        const query = querySchemaOf(prototype, handler);
        const { title: name } = schema;
        if (typeof name !== 'string')
          throw new Error(`The answer of ${key} needs a name, as the second argument of object().`);
        const answer = { name, schema, example: exampleOf(schema) };
        return [
          key,
          {
            ...words,
            answer,
            ...(query !== undefined && { query: parametersOf(query) }),
          },
        ];
      },
    ),
  );
  const missing = ROUTE_KEYS.filter((key) => !routes.some(([described]) => described === key));
  if (missing.length > 0)
    throw new Error(`No handler describes ${missing.join(', ')}. Write @Answers above the handler.`);
  return Object.fromEntries(routes) as Readonly<Record<RouteKey, RouteDescription>>;
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
