import {
  API_ROUTES,
  ROUTE_KEYS,
  type ApiRoute,
  type RouteKey,
} from '../../libs/contracts/src/api/api.routes.js';

/** What a request under the prefix asks for. */
export type RouteMatch =
  | {
      readonly kind: 'route';
      readonly key: RouteKey;
      readonly route: ApiRoute;
      /** Decoded; a parameter whose percent-encoding is broken is empty, which names nothing. */
      readonly params: Readonly<Record<string, string>>;
    }
  | { readonly kind: 'wrong_verb'; readonly endpoint: string; readonly allowed: readonly string[] }
  /** The OpenAPI document, which stands beside the prefix. */
  | { readonly kind: 'document' }
  | { readonly kind: 'unknown_path' };

interface TableRow {
  readonly key: RouteKey;
  readonly route: ApiRoute;
  readonly segments: readonly string[];
}

const TABLE: readonly TableRow[] = ROUTE_KEYS.map((key) => ({
  key,
  route: API_ROUTES[key],
  segments: segmentsOf(API_ROUTES[key].path),
}));

/**
 * Finds the route of a path relative to the prefix. We match ourselves, before any router: the gate must see
 * every request, also those whose path no router could decode.
 */
export function matchRoute(method: string, path: string): RouteMatch {
  const asked = segmentsOf(path);
  const first = TABLE.find(({ segments }) => fits(segments, asked));
  if (first === undefined) return { kind: 'unknown_path' };
  const served = TABLE.filter(({ route }) => route.path === first.route.path);
  const verb = method === 'HEAD' ? 'GET' : method;
  const row = served.find(({ route }) => route.method === verb);
  return row === undefined
    ? { kind: 'wrong_verb', endpoint: first.route.endpoint, allowed: served.flatMap(verbsOf) }
    : { kind: 'route', key: row.key, route: row.route, params: paramsOf(row.segments, asked) };
}

/** The OpenAPI document is only ever read. */
export function matchDocument(method: string): RouteMatch {
  return method === 'GET' || method === 'HEAD'
    ? { kind: 'document' }
    : { kind: 'wrong_verb', endpoint: 'error', allowed: ['GET', 'HEAD'] };
}

function segmentsOf(path: string): readonly string[] {
  return path.replace(/\/$/, '').split('/').slice(1);
}

function fits(segments: readonly string[], asked: readonly string[]): boolean {
  return (
    segments.length === asked.length &&
    segments.every((segment, index) =>
      segment.startsWith(':') ? asked[index] !== '' : segment === asked[index],
    )
  );
}

function verbsOf({ route }: TableRow): readonly string[] {
  return route.method === 'GET' ? ['GET', 'HEAD'] : [route.method];
}

function paramsOf(segments: readonly string[], asked: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    segments.flatMap((segment, index) =>
      segment.startsWith(':') ? [[segment.slice(1), decoded(asked[index] ?? '')]] : [],
    ),
  );
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return '';
  }
}
