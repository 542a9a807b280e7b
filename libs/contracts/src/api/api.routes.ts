import type { ErrorCode, FieldErrors } from '../errors.js';

/** The version of the envelope. */
export const SCHEMA_VERSION = 'guardrails.api.v1';

/** One route of the API: verb, path, schema, and whether it changes data. */
export interface ApiRoute {
  /** The stable name is `guardrails.api.<key>`. */
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

const read = <const Path extends string, const Endpoint extends string>(path: Path, endpoint: Endpoint) =>
  ({ method: 'GET', path, endpoint, writes: false, body: 'none' }) as const satisfies ApiRoute;

/** The list of routes. Order matters: fixed paths precede parameters. */
export const API_ROUTES = {
  me: { ...read('/me', 'me'), readsActor: true },
  overview: read('/overview', 'overview'),
  metrics: { ...read('/metrics', 'metrics'), beside: true, plain: true },
  'audit.index': read('/audit', 'audit-list'),
  'audit.trend': read('/audit/trend', 'audit-trend'),
  'audit.facets': read('/audit/facets', 'audit-facets'),
  'audit.show': read('/audit/:id', 'audit-detail'),
  'audit.review': {
    method: 'POST',
    path: '/audit/:id/review',
    endpoint: 'audit-review',
    writes: true,
    body: 'required',
  },
  'audit.exception': {
    method: 'POST',
    path: '/audit/:id/exception',
    endpoint: 'audit-exception',
    writes: false,
    body: 'none',
  },
  'audit.export': { ...read('/export/audit', 'audit-export'), beside: true, bulk: true },
  'audit.log': { ...read('/export/log', 'audit-log'), beside: true, bulk: true },
  'firewall.index': read('/firewall', 'firewall'),
  'firewall.reasons': read('/firewall/reasons', 'firewall-reasons'),
  'rules.index': read('/rules', 'rule-list'),
  'rules.backtest': {
    method: 'POST',
    path: '/rules/backtest',
    endpoint: 'rule-backtest',
    writes: false,
    body: 'required',
    takesSettings: true,
  },
  'output.stats': read('/output/stats', 'output-stats'),
  'approvals.index': { ...read('/approvals', 'approval-list'), readsActor: true },
  'approvals.history': read('/approvals/history', 'approval-history'),
  'approvals.show': { ...read('/approvals/:approval_id', 'approval-detail'), readsActor: true },
  'approvals.approve': {
    method: 'POST',
    path: '/approvals/:token/approve',
    endpoint: 'approval-decision',
    writes: true,
    body: 'optional',
  },
  'approvals.reject': {
    method: 'POST',
    path: '/approvals/:token/reject',
    endpoint: 'approval-decision',
    writes: true,
    body: 'optional',
  },
  'approvals.propose': {
    method: 'POST',
    path: '/approvals/:approval_id/propose',
    endpoint: 'approval-proposal',
    writes: true,
    body: 'required',
  },
  'approvals.resolve': {
    method: 'POST',
    path: '/approvals/:approval_id/resolve',
    endpoint: 'approval-resolution',
    writes: true,
    body: 'required',
  },
  'settings.show': read('/settings', 'settings'),
  'settings.update': {
    method: 'PUT',
    path: '/settings',
    endpoint: 'settings',
    writes: true,
    body: 'required',
    takesSettings: true,
  },
  'settings.preview': {
    method: 'POST',
    path: '/settings/preview',
    endpoint: 'settings-preview',
    writes: false,
    body: 'required',
    takesSettings: true,
  },
  'settings.changes': read('/settings/changes', 'settings-changes'),
  'holds.index': read('/holds', 'hold-list'),
  'holds.set': { method: 'POST', path: '/holds', endpoint: 'hold', writes: true, body: 'required' },
  'holds.release': {
    method: 'POST',
    path: '/holds/:id/release',
    endpoint: 'hold',
    writes: true,
    body: 'none',
  },
  'events.stream': { ...read('/events', 'event'), streams: true, beside: true, readsActor: true },
  'events.sinks': read('/events/sinks', 'event-sinks'),
  'events.dead': read('/events/sinks/:name/dead', 'event-dead-letters'),
  'events.replay': {
    method: 'POST',
    path: '/events/replay',
    endpoint: 'event-replay',
    writes: true,
    body: 'required',
  },
  'events.test': {
    method: 'POST',
    path: '/events/sinks/:name/test',
    endpoint: 'event-test',
    writes: true,
    body: 'none',
  },
  'try.screen': {
    method: 'POST',
    path: '/try/screen',
    endpoint: 'try-screen',
    writes: false,
    body: 'required',
  },
  'try.sanitize': {
    method: 'POST',
    path: '/try/sanitize',
    endpoint: 'try-sanitize',
    writes: false,
    body: 'required',
  },
  'try.policies': {
    method: 'POST',
    path: '/try/policies',
    endpoint: 'try-policies',
    writes: false,
    body: 'required',
    takesSettings: true,
  },
} as const satisfies Record<string, ApiRoute>;

/** The key of a route in `API_ROUTES`: its name without `guardrails.api.`. */
export type RouteKey = keyof typeof API_ROUTES;

/** The stable name of a route, such as `guardrails.api.audit.index`. */
export type RouteName = `guardrails.api.${RouteKey}`;

/** The keys of `API_ROUTES`, in their order. */
export const ROUTE_KEYS = Object.keys(API_ROUTES) as readonly RouteKey[];

/** Returns the stable name of a route. */
export function routeName(key: RouteKey): RouteName {
  return `guardrails.api.${key}`;
}

// The types below are on the wire, and clients use them. Times are ISO-8601 in UTC with milliseconds. Spans count UTF-8 bytes.

/** The members of every JSON response of the API. */
export interface Envelope<Data> {
  readonly schema_version: string;
  readonly schema: string;
  readonly data: Data;
}

/** The `data` of an error response. */
export interface ErrorData {
  readonly error: {
    readonly code: ErrorCode;
    readonly message: string;
    readonly request_id: string;
    readonly fields?: FieldErrors;
    readonly details?: Readonly<Record<string, unknown>>;
  };
}
