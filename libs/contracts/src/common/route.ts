/** One route of the API: verb, path, schema, and whether it changes data. Its stable name is `guardrails.api.<key>`. */
export interface ApiRoute {
  readonly method: 'GET' | 'POST' | 'PUT';
  /** Relative to the prefix, or to `<name>` with `beside`; `:name` is a parameter. */
  readonly path: string;
  /** The envelope's schema is `guardrails.api.v1.<endpoint>`. */
  readonly endpoint: string;
  /** Changes state: a right of operators, not of readers. */
  readonly writes: boolean;
  /** `none`: the body is not read. `optional`: the body may be missing. */
  readonly body: 'none' | 'optional' | 'required';
  /** The body holds settings and may have 4 MiB; other bodies may have `api.body_limit`. */
  readonly takesSettings?: true;
  /** Shows what the caller may do, where the request has an actor. */
  readonly readsActor?: true;
  /** Sends many records at once, which needs a separate right and an actor. */
  readonly bulk?: true;
  /** Answers with plain text. */
  readonly plain?: true;
  /** Server-sent events: each `data:` line is an envelope. */
  readonly streams?: true;
  /** Served under `<name>` instead of the prefix `<name>/api`, because its body is not one JSON envelope. */
  readonly beside?: true;
}

/** The `data` of a route. A type only: a browser loads no schema. */
export interface RouteType<Answer> {
  readonly answers?: Answer;
}

/** The type of a route, for its line in a list of routes. */
export function typed<Answer>(): RouteType<Answer> {
  return {};
}

export const read = <const Path extends string, const Endpoint extends string>(
  path: Path,
  endpoint: Endpoint,
) => ({ method: 'GET', path, endpoint, writes: false, body: 'none' }) as const satisfies ApiRoute;

type BodyNeed = ApiRoute['body'];

const post =
  <const Writes>(writes: Writes) =>
  <const Path extends string, const Endpoint extends string, const Body extends BodyNeed>(
    path: Path,
    endpoint: Endpoint,
    body: Body,
  ) =>
    ({ method: 'POST', path, endpoint, writes, body }) as const;

/** A POST that changes nothing. */
export const ask = post(false);

/** A POST that changes something. */
export const change = post(true);
