import { createParamDecorator, Injectable, type ExecutionContext, type PipeTransform } from '@nestjs/common';
import { type Actor, ApiRequest } from './api-request.js';
import { GuardrailsError } from '#contracts/common/errors.js';
import type { JsonSchema } from '#contracts/common/schema.js';
import { positiveId, queryParameters, QueryReader } from './query-reader.js';
import { queryOf } from './routes.js';

/** The actor of a write or an export, and the request that it is part of. */
export interface Author {
  readonly actor: Actor;
  readonly requestId: string;
}

export const CurrentRequest = createParamDecorator((_: unknown, context: ExecutionContext) =>
  ApiRequest.of(context),
);

export const CurrentContext = createParamDecorator((_: unknown, context: ExecutionContext) => context);

const QUERY = Symbol('nest-guardrails schema of a query');

const ReadQuery = createParamDecorator(
  (read: JsonSchema | ((query: QueryReader) => unknown), context: ExecutionContext) => {
    const request = ApiRequest.of(context);
    const query = new QueryReader(queryParameters(queryOf(request.url)));
    const values = typeof read === 'function' ? read(query) : query.readAll(read);
    query.assertValid();
    request.ignored = query.ignored();
    return values;
  },
);

/** Reads the raw query by this schema, and reports every invalid parameter in one error. */
export function UntrustedQuery(read: JsonSchema | ((query: QueryReader) => unknown)): ParameterDecorator {
  return (controller, handler = '', index) => {
    if (typeof read !== 'function') Reflect.defineMetadata(QUERY, read, controller, handler);
    ReadQuery(read)(controller, handler, index);
  };
}

/** The schema of the query that a handler reads. */
export function querySchemaOf(controller: object, handler: string | symbol): JsonSchema | undefined {
  return Reflect.getMetadata(QUERY, controller, handler) as JsonSchema | undefined;
}

export const CurrentAuthor = createParamDecorator((_: unknown, context: ExecutionContext): Author => {
  const { actor, requestId } = ApiRequest.of(context);
  if (actor === null)
    throw new Error('A route with an author needs writes: true or bulk: true in API_ROUTES.');
  return { actor, requestId };
});

/** The id of the caller on a route with `readsActor`; `null` where the request has no actor. */
export const CurrentReader = createParamDecorator(
  (_: unknown, context: ExecutionContext): string | null => ApiRequest.of(context).actor?.id ?? null,
);

/** Parses an id in the path. A malformed id is answered like an unknown one: 404. */
@Injectable()
export class IdPipe implements PipeTransform<string, number> {
  transform(text: string): number {
    return parseId(text);
  }
}

/** For handlers with a body, which check the id after the members of the body (contract 2.4). */
export function parseId(text: string): number {
  const id = positiveId(text);
  if (!id.ok) throw unknownId();
  return id.value;
}

export function orNotFound<Row>(row: Row | null): Row {
  if (row === null) throw unknownId();
  return row;
}

export function unknownId(): GuardrailsError {
  return new GuardrailsError('not_found', 'No entry has this id. Take an id from the list.');
}
