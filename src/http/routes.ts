import type { Request, Response } from 'express';
import {
  API_ROUTES,
  ROUTE_KEYS,
  type ApiRoute,
  type RouteKey,
  type RouteName,
} from '#contracts/api/api.routes.js';

/** The match of a request under the prefix. */
export type RouteMatch =
  | {
      readonly kind: 'route';
      readonly key: RouteKey;
      readonly route: ApiRoute;
      /** Decoded. A parameter with a broken percent-encoding is empty, so no entry is found for it. */
      readonly params: Readonly<Record<string, string>>;
    }
  | { readonly kind: 'wrong_verb'; readonly endpoint: string; readonly allowed: readonly string[] }
  /** The OpenAPI document, beside the prefix. */
  | { readonly kind: 'document' }
  | { readonly kind: 'panel'; readonly requested: PanelRequest }
  | { readonly kind: 'unknown_path' };

/** A request for a page or a file of the panel. */
export interface PanelRequest {
  /** Needs no authentication. */
  readonly isOpen: boolean;
  /** A browser shows the answer as a page. */
  readonly isNavigation: boolean;
  /** `position`: the number of the newest event, if it is known. */
  answer(request: Request, response: Response, position?: number): void;
  /** Answers a refused navigation. */
  refuse(response: Response, refusal: PageRefusal): void;
}

export interface PageRefusal {
  readonly status: number;
  readonly message: string;
  readonly requestId: string;
}

interface TableRow {
  readonly key: RouteKey;
  readonly route: ApiRoute;
  readonly segments: readonly string[];
}

export const DOCUMENT_PATH = '/openapi.json';

const ROWS: readonly TableRow[] = ROUTE_KEYS.map((key) => ({
  key,
  route: API_ROUTES[key],
  segments: segmentsOf(API_ROUTES[key].path),
}));
const UNDER_THE_PREFIX = ROWS.filter(({ route }) => route.beside !== true);
const BESIDE_THE_PREFIX = ROWS.filter(({ route }) => route.beside === true);

/**
 * Matches a path relative to the prefix. No router is used, because the gate must run on every request under the
 * prefix, including paths that a router cannot decode.
 */
export function matchRoute(method: string, path: string): RouteMatch {
  return matchRow(UNDER_THE_PREFIX, method, path) ?? { kind: 'unknown_path' };
}

/** Matches a path relative to `<name>`; `undefined` if the path belongs to the host. */
export function matchBeside(method: string, path: string): RouteMatch | undefined {
  if (path !== DOCUMENT_PATH) return matchRow(BESIDE_THE_PREFIX, method, path);
  return method === 'GET' || method === 'HEAD'
    ? { kind: 'document' }
    : { kind: 'wrong_verb', endpoint: 'error', allowed: ['GET', 'HEAD'] };
}

function matchRow(rows: readonly TableRow[], method: string, path: string): RouteMatch | undefined {
  const requested = segmentsOf(path);
  const first = rows.find(({ segments }) => matches(segments, requested));
  if (first === undefined) return undefined;
  const served = rows.filter(({ route }) => route.path === first.route.path);
  const verb = method === 'HEAD' ? 'GET' : method;
  const row = served.find(({ route }) => route.method === verb);
  return row === undefined
    ? { kind: 'wrong_verb', endpoint: first.route.endpoint, allowed: served.flatMap(verbsOf) }
    : { kind: 'route', key: row.key, route: row.route, params: paramsOf(row.segments, requested) };
}

function segmentsOf(path: string): readonly string[] {
  return path.replace(/\/$/, '').split('/').slice(1);
}

function matches(segments: readonly string[], requested: readonly string[]): boolean {
  return (
    segments.length === requested.length &&
    segments.every((segment, index) =>
      segment.startsWith(':') ? requested[index] !== '' : segment === requested[index],
    )
  );
}

function verbsOf({ route }: TableRow): readonly string[] {
  return route.method === 'GET' ? ['GET', 'HEAD'] : [route.method];
}

function paramsOf(
  segments: readonly string[],
  requested: readonly string[],
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    segments.flatMap((segment, index) =>
      segment.startsWith(':') ? [[segment.slice(1), decode(requested[index] ?? '')]] : [],
    ),
  );
}

function decode(segment: string) {
  try {
    return decodeURIComponent(segment);
  } catch {
    return '';
  }
}

/** The path as it was sent, not decoded; also of a request line in absolute form. */
export function pathOf(url: string): string {
  return splitUrl(url)[0];
}

/** The part between `?` and `#`. */
export function queryOf(url: string): string {
  return splitUrl(url)[1];
}

function splitUrl(url: string): readonly [path: string, query: string] {
  const local = url.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, '').replace(/#.*$/s, '');
  const mark = local.indexOf('?');
  return mark < 0 ? [local, ''] : [local.slice(0, mark), local.slice(mark + 1)];
}

const NAMESPACE = 'guardrails.api.';

/** `guardrailsUrl('guardrails.api.audit.show', { id: 7 })` → `/guardrails/api/audit/7`. */
export function guardrailsUrl(
  name: RouteName,
  params: Readonly<Record<string, string | number>> = {},
  prefix = 'guardrails/api',
): string {
  const key = name.slice(NAMESPACE.length);
  if (!name.startsWith(NAMESPACE) || !Object.hasOwn(API_ROUTES, key)) {
    throw new Error(
      `There is no route named ${name}. The names are the operation ids of the OpenAPI document.`,
    );
  }
  const { path, beside }: ApiRoute = API_ROUTES[key as RouteKey];
  const filled = path.replaceAll(/:(\w+)/g, (_, parameter: string) => {
    const value = params[parameter];
    if (value === undefined) {
      throw new Error(`The route ${name} needs the parameter ${parameter}. Pass it in the second argument.`);
    }
    return encodeURIComponent(value);
  });
  const base = `/${trimSlashes(prefix)}`;
  return `${beside === true ? parentOf(base) : base}${filled}`;
}

/** `/guardrails/api` → `/guardrails` */
export function parentOf(base: string): string {
  return base.replace(/\/api$/, '');
}

export function isBelow(path: string, base: string): boolean {
  return path === base || path.startsWith(`${base}/`);
}

export function trimSlashes(path: string): string {
  return path.replaceAll(/^\/+|\/+$/g, '');
}
