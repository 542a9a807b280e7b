/** What the OpenAPI document says of a route, written where its handler stands. */
import type { Type } from '@nestjs/common';
import { ROUTE_KEYS, type API_ROUTES, type RouteAnswer, type RouteKey } from '#contracts/api/api.routes.js';
import { exampleOf, type JsonSchema, type SchemaOf } from '#contracts/common/schema.js';
import { bodyOf } from './body-schema.js';
import { querySchemaOf } from '../http/parameters.js';
import { parametersOf } from './parameters.js';
import type { RouteDescription } from './route-description.js';

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

/**
 * @param body the DTO of the body, or its schema where no DTO says what the members may be
 * @param query only where a function reads the query
 */
interface Words extends Omit<RouteDescription, 'answer' | 'body'> {
  readonly body?: Type | JsonSchema;
}

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
  ): void => {
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
      ({ key, handler, schema, words: { body, ...words } }): readonly [RouteKey, RouteDescription] => {
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
            ...(body !== undefined && {
              body: typeof body === 'function' ? bodyOf(body) : { schema: body, example: exampleOf(body) },
            }),
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
