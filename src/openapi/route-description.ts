import type { ErrorCode } from '../../libs/contracts/src/errors.js';
import type { JsonSchema, SchemaOf } from './json-schema.js';
import type { Parameter } from './parameters.js';

/** What a successful answer carries as `data`. */
export interface Answer {
  /** The schema's name among the components; the wire type has the same. */
  readonly name: string;
  readonly schema: JsonSchema;
  readonly example: unknown;
}

/** What the list of routes does not say about a route. */
export interface RouteDescription {
  readonly summary: string;
  readonly description?: string;
  readonly query?: readonly Parameter[];
  readonly headers?: readonly Parameter[];
  readonly body?: { readonly schema: JsonSchema; readonly example: unknown };
  readonly answer: Answer;
  /** The answer names its state in an `ETag`. */
  readonly etag?: true;
  /** It asks no store: what it answers is at hand. */
  readonly storeless?: true;
  /** Beyond those that follow from its shape. */
  readonly errors?: readonly ErrorCode[];
}

/** Schema and example of one wire type, held together by the compiler. */
export function answer<Data>(name: string, schema: SchemaOf<Data>, example: Data): Answer {
  return { name, schema, example };
}
