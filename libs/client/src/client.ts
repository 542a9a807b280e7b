import type { RouteBody } from '#bodies/bodies.js';
import {
  API_ROUTES,
  type ApiRoute,
  type Envelope,
  type RouteAnswer,
  type RouteKey,
} from '#contracts/api/api.routes.js';
import type { EventData } from '#contracts/events/events.api.js';
import { ApiError, ConnectionError, loginPageError } from './errors.js';
import { delay, jittered, liveEvents, type Connect, type EventsOptions } from './live-stream.js';

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
  /** Whether the request outlives the page that sends it, as in `fetch`. */
  readonly keepalive?: boolean;
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

/** The options of `GuardrailsClient`. */
export interface ClientOptions {
  /** URL of the API, such as `https://shop.example/guardrails/api`. In a browser a path is enough. */
  readonly url: string;
  /** Sent with every request, such as `authorization`. A function is called before each request. */
  readonly headers?: Headers | (() => Headers | Promise<Headers>);
  /** Whether cookies are sent, as in `fetch`. Default: `same-origin`. */
  readonly credentials?: 'omit' | 'same-origin' | 'include';
  /** Limits one request, in milliseconds, but no download and no stream. Default: 60,000. */
  readonly timeoutMs?: number;
  /** How often a request that changes nothing is sent again after the status 503. Default: 2. */
  readonly retries?: number;
  /** Default: the global `fetch`. */
  readonly fetch?: typeof fetch;
}

type Headers = Readonly<Record<string, string>>;

/** The data of a response, with its version and the id of the request. */
export interface Answer<Data> {
  readonly data: Data;
  /** The version of the settings, for `ifMatch`; `null` for other routes. */
  readonly etag: string | null;
  readonly requestId: string | null;
}

interface AnyRequest extends CallOptions {
  readonly params?: Readonly<Record<string, string | number>>;
  readonly body?: object;
}

const TIMEOUT_MS = 60_000;
const RETRIES = 2;
/** The longest `Retry-After` for which the client waits. With a longer one, it throws the error. */
const MAX_RETRY_AFTER_S = 30;
/** A typed client of the admin API for browsers and Node. Routes have the names of `API_ROUTES`. */
export class GuardrailsClient {
  private readonly base: string;
  private readonly send: typeof fetch;

  constructor(private readonly options: ClientOptions) {
    this.base = options.url.replace(/\/+$/, '');
    this.send = options.fetch ?? ((...request) => fetch(...request));
  }

  /**
   * Calls a route, for example `call('audit.show', { params: { id: 7 } })`.
   *
   * @throws ApiError for an answer that is an error
   * @throws ConnectionError if no whole answer arrives
   * @throws TypeError if a parameter of the path is empty, `.` or `..`
   */
  async call<Key extends CallKey>(
    key: Key,
    ...requests: CallArguments<Key>
  ): Promise<Answer<RouteData<Key>>> {
    const request = (requests[0] ?? {}) as AnyRequest;
    const response = await this.repeated(key, request);
    const envelope = await bodyOf<RouteData<Key>>(response, request.signal);
    const { headers } = response;
    return { data: envelope.data, etag: headers.get('etag'), requestId: headers.get('x-request-id') };
  }

  /** All pages of a list, or all slices of a search. A page can be short or empty although another one follows. */
  async *pages<Key extends PageKey>(
    key: Key,
    ...requests: CallArguments<Key>
  ): AsyncGenerator<RouteData<Key>> {
    const request = (requests[0] ?? {}) as AnyRequest;
    for (let cursor: number | null | undefined; cursor !== null;) {
      const next = cursor === undefined ? request : withCursor(key, request, cursor);
      const { data } = await this.call(key, ...([next] as unknown as CallArguments<Key>));
      yield data;
      cursor = (data as Partial<Record<'next_cursor', number | null>>).next_cursor ?? null;
    }
  }

  /** The body of an export, as it arrives. Reading it fails if the connection breaks before the end. */
  async download(key: DownloadKey, request: CallOptions = {}): Promise<ReadableStream<Uint8Array>> {
    const response = await this.request(key, request, request.signal);
    if (!response.ok) throw await ApiError.of(response);
    if (response.body === null) throw new ConnectionError('The answer has no body.');
    return response.body;
  }

  /**
   * Events of the live stream, without an end. It resumes after each planned end of a stream and after a failure, so that
   * no event is missing and none comes twice. Ends by its signal.
   *
   * @throws ApiError if the server refuses the stream, for example with 401, 403 or 429
   */
  events(options: EventsOptions = {}): AsyncGenerator<EventData> {
    const connect: Connect = (signal, headers) => this.request('events.stream', {}, signal, headers);
    return liveEvents(connect, options);
  }

  /** Sends a request again after the status 503, if it changes nothing. */
  private async repeated(key: CallKey, request: AnyRequest): Promise<Response> {
    const { timeoutMs = TIMEOUT_MS, retries = RETRIES } = this.options;
    const route: ApiRoute = API_ROUTES[key];
    for (let attempt = 0; ; attempt++) {
      const timeout = AbortSignal.timeout(timeoutMs);
      const signal = request.signal === undefined ? timeout : AbortSignal.any([request.signal, timeout]);
      const response = await this.request(key, request, signal);
      if (response.ok) return response;
      const error = await ApiError.of(response);
      request.signal?.throwIfAborted();
      const seconds = error.status === 503 ? (error.retryAfter ?? 1) : Infinity;
      if (route.writes || attempt >= retries || seconds > MAX_RETRY_AFTER_S) throw error;
      await delay(jittered(seconds * 1000), request.signal);
      request.signal?.throwIfAborted();
    }
  }

  private async request(
    key: RouteKey,
    { params = {}, query = {}, body, ifMatch, keepalive = false, signal: ofCaller }: AnyRequest,
    signal: AbortSignal | undefined,
    more: Headers = {},
  ): Promise<Response> {
    const { method, path, beside }: ApiRoute = API_ROUTES[key];
    const base = beside === true ? this.base.replace(/\/api$/, '') : this.base;
    const target = `${base}${filled(path, params)}${queryText(query)}`;
    const { headers = {}, credentials = 'same-origin' } = this.options;
    const own = typeof headers === 'function' ? await headers() : headers;
    const response = await this.sent(
      target,
      {
        method,
        credentials,
        redirect: 'manual',
        keepalive,
        headers: {
          ...own,
          ...more,
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...(ifMatch !== undefined && { 'if-match': ifMatch }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        ...(signal !== undefined && { signal }),
      },
      ofCaller,
    );
    const login = loginPageError(response);
    if (login !== null) throw login;
    return response;
  }

  private async sent(
    target: string,
    request: RequestInit,
    ofCaller: AbortSignal | undefined,
  ): Promise<Response> {
    try {
      return await this.send(target, request);
    } catch (error) {
      ofCaller?.throwIfAborted();
      throw new ConnectionError(
        'The server does not answer. Check that it is running and that the URL is right.',
        // Node's fetch names the reason in the cause of its error only.
        { cause: (error as Error).cause ?? error },
      );
    }
  }
}

async function bodyOf<Data>(response: Response, signal: AbortSignal | undefined): Promise<Envelope<Data>> {
  const body = (await response.json().catch((error: unknown) => {
    signal?.throwIfAborted();
    if (error instanceof SyntaxError) return null;
    throw new ConnectionError('The connection broke before the whole answer arrived.', { cause: error });
  })) as Partial<Envelope<Data>> | null;
  if (body?.data === undefined || body.schema_version === undefined)
    throw new ConnectionError('The answer is not one of the Guardrails API. Check the URL.');
  return body as Envelope<Data>;
}

function filled(path: string, params: Readonly<Record<string, string | number>>): string {
  return path.replaceAll(/:([a-z_]+)/g, (_, name: string) => {
    const value = String(params[name] ?? '');
    // An empty segment or a dot segment would be the path of another route.
    if (['', '.', '..'].includes(value)) throw new TypeError(`The parameter ${name} must not be "${value}".`);
    return encodeURIComponent(value);
  });
}

function queryText(query: Query): string {
  const parameters = Object.entries(query).filter(
    ([, value]) => value !== null && value !== undefined && value !== '',
  );
  const text = new URLSearchParams(
    parameters.map(([name, value]): [string, string] => [name, String(value)]),
  ).toString();
  return text === '' ? '' : `?${text}`;
}

function withCursor(key: PageKey, request: AnyRequest, cursor: number): AnyRequest {
  return API_ROUTES[key].method === 'GET'
    ? { ...request, query: { ...request.query, cursor } }
    : { ...request, body: { ...request.body, cursor } };
}
