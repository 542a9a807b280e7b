import {
  API_ROUTES,
  ROUTE_KEYS,
  routeName,
  SCHEMA_VERSION,
  type ApiRoute,
  type RouteKey,
} from '#contracts/api/api.routes.js';
import { BODIES } from '#bodies/bodies.js';
import { type BodyType, describeBody } from '#bodies/member.js';
import { ErrorData } from '#contracts/api/error.js';
import { ApprovalsController } from '../approvals/approvals.controller.js';
import { EventsController } from '../events/events.controller.js';
import { LiveStreamController } from '../events/live-stream.controller.js';
import { AuditController } from '../audit/audit.controller.js';
import { AuditExportController } from '../audit/audit-export.controller.js';
import { FirewallController } from '../firewall/firewall.controller.js';
import { FreezeController } from '../settings/freeze.controller.js';
import { HoldsController } from '../holds/holds.controller.js';
import { OutputController } from '../output/output.controller.js';
import { OverviewController } from '../overview/overview.controller.js';
import { describedRoutes, possibleErrors, type RouteDescription } from '../openapi/answers.js';
import { parentOf } from '../http/routes.js';
import { MeController } from '../me/me.controller.js';
import { MetricsController } from '../metrics/metrics.controller.js';
import { RulesController } from '../rules/rules.controller.js';
import { SettingsController } from '../settings/settings.controller.js';
import { TryController } from '../try/try.controller.js';
import { about, type JsonSchema, list, text } from '#contracts/common/schema.js';
import { pathParameters, requestId } from '../openapi/parameters.js';
import { codesByStatus, failure, failureName, HEADERS, success } from '../openapi/responses.js';

/** The descriptions of all routes. */
export const ROUTE_DESCRIPTIONS = describedRoutes(
  ApprovalsController,
  AuditController,
  AuditExportController,
  EventsController,
  FirewallController,
  FreezeController,
  HoldsController,
  LiveStreamController,
  MeController,
  MetricsController,
  OutputController,
  OverviewController,
  RulesController,
  SettingsController,
  TryController,
);

interface OpenApiFacts {
  /** Without outer slashes: `guardrails/api`. */
  readonly prefix: string;
  /** The version of the package. */
  readonly version: string;
}

/** The API as an OpenAPI 3.1 document, built from the list of routes and the wire types. */
export function openApiDocument({ prefix, version }: OpenApiFacts) {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Guardrails Admin API',
      version,
      summary: 'Shows and controls the guardrails around a language model.',
      description:
        `Every body is an envelope of \`${SCHEMA_VERSION}\`, errors included. \`HEAD\` is answered wherever ` +
        '`GET` is. Fields may be added to `data`; no field is renamed, removed or retyped. Unknown query ' +
        'parameters are ignored, and so is one that is repeated, given as an array, or empty.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: `/${prefix}` }],
    security: [{ deployer: [] }],
    tags: [...new Set(ROUTE_KEYS.map((key) => key.split('.')[0] ?? key))].map((name) => ({ name })),
    paths: paths(prefix),
    components: {
      schemas: schemas(),
      headers: HEADERS,
      responses: responses(),
      securitySchemes: {
        deployer: {
          type: 'apiKey',
          in: 'header',
          name: 'Authorization',
          description:
            'The credentials that the entries of `api.middleware` check: a bearer token, a session cookie, a client ' +
            'certificate. They run on every request, before anything else.',
        },
      },
    },
  };
}

/** `/audit/:id` → `/audit/{id}`, each path with its verbs. */
function paths(prefix: string) {
  const items: Record<string, Record<string, unknown>> = {};
  for (const key of ROUTE_KEYS) {
    const { method, path } = API_ROUTES[key];
    const template = path.replaceAll(/:(\w+)/g, '{$1}');
    (items[template] ??= {})[method.toLowerCase()] = operation(key, prefix);
  }
  return items;
}

/** In the answers of all routes with a query. */
const ignored = about(
  list({ ...text, maxLength: 100 }, { maxItems: 20 }),
  'Names of parameters that are unknown, repeated or arrays. They had no effect.',
);

function schemas(): Readonly<Record<string, JsonSchema>> {
  const answers = ROUTE_KEYS.map((key) => {
    const { answer, query }: RouteDescription = ROUTE_DESCRIPTIONS[key];
    const { beside }: ApiRoute = API_ROUTES[key];
    const properties = { ...(answer.schema['properties'] as JsonSchema), ignored };
    const namesIgnored = query !== undefined && beside !== true;
    const { title: _, ...schema } = namesIgnored ? { ...answer.schema, properties } : answer.schema;
    return [answer.name, schema] as const;
  });
  const named = new Map<string, unknown>();
  const all = answers.map(([name, schema]) => [name, withReferences(schema, named)]);
  withReferences(ErrorData, named);
  return Object.fromEntries([...all, ...named]) as Readonly<Record<string, JsonSchema>>;
}

/** The schema with a reference in place of every schema with a name, which is added to `named`. */
function withReferences(node: unknown, named: Map<string, unknown>): unknown {
  if (Array.isArray(node)) return node.map((item) => withReferences(item, named));
  if (typeof node !== 'object' || node === null) return node;
  const { title, ...schema } = node as JsonSchema;
  const whole = Object.fromEntries(
    Object.entries(schema).map(([key, value]) => [
      key,
      key === 'examples' ? value : withReferences(value, named),
    ]),
  );
  if (typeof title !== 'string') return whole;
  named.set(title, whole);
  return { $ref: `#/components/schemas/${title}` };
}

/** The errors of every route, each once, and the two that belong to no route. */
function responses() {
  const ofRoutes = ROUTE_KEYS.flatMap((key) => {
    const codes = possibleErrors(API_ROUTES[key], ROUTE_DESCRIPTIONS[key]);
    const { endpoint } = API_ROUTES[key];
    return [...codesByStatus(codes).values()].map((group) => [failureName(group), failure(group, endpoint)]);
  });
  return Object.fromEntries([
    ...ofRoutes.toReversed(),
    ['UnknownPath', failure(['not_found'], 'error')],
    ['WrongVerb', failure(['method_not_allowed'], 'overview')],
  ]) as Readonly<Record<string, ReturnType<typeof failure>>>;
}

function operation(key: RouteKey, prefix: string) {
  const route: ApiRoute = API_ROUTES[key];
  const description = ROUTE_DESCRIPTIONS[key];
  const { summary, query = [], headers = [] } = description;
  const body = (BODIES as Partial<Record<RouteKey, BodyType>>)[key];
  return {
    operationId: routeName(key),
    tags: [key.split('.')[0] ?? key],
    summary,
    ...(description.description !== undefined && { description: description.description }),
    'x-guardrails-writes': route.writes,
    ...(route.bulk === true && { 'x-guardrails-bulk': true }),
    ...(route.beside === true && { servers: [{ url: parentOf(`/${prefix}`) }] }),
    security: [{ deployer: [] }],
    parameters: [...pathParameters(route.path), ...query, ...headers, requestId],
    ...(body !== undefined && {
      requestBody: {
        required: route.body === 'required',
        content: { 'application/json': describeBody(body) },
      },
    }),
    responses: {
      200: success(route, description),
      ...Object.fromEntries(
        [...codesByStatus(possibleErrors(route, description))].map(([status, codes]) => [
          status,
          { $ref: `#/components/responses/${failureName(codes)}` },
        ]),
      ),
    },
  };
}
