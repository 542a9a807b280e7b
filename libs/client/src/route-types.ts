import type { RouteBody } from '#bodies/bodies.js';
import type { API_ROUTES, RouteAnswer, RouteKey } from '#contracts/api/api.routes.js';

/** Routes whose answer is one JSON envelope. */
export type CallKey = {
  [Key in RouteKey]: (typeof API_ROUTES)[Key] extends { readonly beside: true } ? never : Key;
}[RouteKey];

/** Routes whose answer is sent in parts, without a length. */
export type DownloadKey = {
  [Key in RouteKey]: (typeof API_ROUTES)[Key] extends { readonly bulk: true } ? Key : never;
}[RouteKey];

/** `data` of the answer of a route. */
export type RouteData<Key extends CallKey> = RouteAnswer<Key> & {
  /** Names of query parameters that are unknown, repeated or arrays. They had no effect. */
  readonly ignored?: readonly string[];
};

type PathOf<Key extends RouteKey> = (typeof API_ROUTES)[Key]['path'];

type ParameterOf<Path extends string> = Path extends `${string}/:${infer Name}/${infer Rest}`
  ? Name | ParameterOf<`/${Rest}`>
  : Path extends `${string}/:${infer Name}`
    ? Name
    : never;

type PathMembers<Key extends RouteKey> = [ParameterOf<PathOf<Key>>] extends [never]
  ? object
  : { readonly params: Readonly<Record<ParameterOf<PathOf<Key>>, string | number>> };

type BodyMembers<Key extends RouteKey> = (typeof API_ROUTES)[Key] extends { readonly body: 'none' }
  ? object
  : (typeof API_ROUTES)[Key] extends { readonly body: 'required' }
    ? { readonly body: RouteBody<Key> }
    : { readonly body?: RouteBody<Key> };

/** Parameters with `null`, `undefined` or an empty text are left out. */
export type Query = Readonly<Record<string, string | number | boolean | null | undefined>>;

/** The parts of a request that every route accepts. */
export interface CallOptions {
  readonly query?: Query | undefined;
  /** The ETag of the settings that a PUT replaces. */
  readonly ifMatch?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** The path parameters, the body and the options of a call. */
export type CallRequest<Key extends RouteKey> = CallOptions & PathMembers<Key> & BodyMembers<Key>;

/** The request may be left out where nothing in it is required. */
export type CallArguments<Key extends RouteKey> =
  object extends CallRequest<Key>
    ? readonly [request?: CallRequest<Key>]
    : readonly [request: CallRequest<Key>];

/** Routes that answer in pages or slices, each with the cursor of the next one. */
export type PageKey = {
  [Key in CallKey]: RouteData<Key> extends { readonly next_cursor: number | null } ? Key : never;
}[CallKey];
