import { API_ROUTES, ROUTE_KEYS, SCHEMA_VERSION } from '../../libs/contracts/src/api/api.routes.js';
import { ERROR_CODES } from '../../libs/contracts/src/errors.js';
import { errorSchema } from './envelope.js';
import { HEADERS } from './headers.js';
import type { JsonSchema } from './json-schema.js';
import { operation } from './operation.js';
import { possibleErrors } from './possible-errors.js';
import { codesByStatus, errorName, failure, failureName } from './responses.js';
import { ROUTE_DESCRIPTIONS } from './route-descriptions.js';

export interface OpenApiFacts {
  /** Without outer slashes: `guardrails/api`. */
  readonly prefix: string;
  /** Of the package. */
  readonly version: string;
}

/** The API as an OpenAPI 3.1 document, built from the list of routes and the wire types. */
export function openApiDocument({ prefix, version }: OpenApiFacts) {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Guardrails Admin API',
      version,
      summary: 'Shows and steers the guardrails around a language model.',
      description:
        `Every body is an envelope of \`${SCHEMA_VERSION}\`, errors included. \`HEAD\` is answered wherever ` +
        '`GET` is. Fields may be added to `data`; none is ever renamed, removed or retyped. Unknown query ' +
        'parameters are ignored, and so is one that is repeated, given as an array, or empty.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: `/${prefix}` }],
    security: [{ deployer: [] }],
    tags: [...new Set(ROUTE_KEYS.map((key) => key.split('.')[0] ?? key))].map((name) => ({ name })),
    paths: paths(),
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
            "Whatever the deployer's own access checks ask for (`api.middleware`): a bearer token, a session " +
            'cookie, a client certificate. They run on every request, before anything else.',
        },
      },
    },
  };
}

/** `/audit/:id` → `/audit/{id}`, each path with its verbs. */
function paths() {
  const items: Record<string, Record<string, unknown>> = {};
  for (const key of ROUTE_KEYS) {
    const { method, path } = API_ROUTES[key];
    const template = path.replaceAll(/:(\w+)/g, '{$1}');
    (items[template] ??= {})[method.toLowerCase()] = operation(key);
  }
  return items;
}

function schemas(): Readonly<Record<string, JsonSchema>> {
  const answers = Object.values(ROUTE_DESCRIPTIONS).map(({ answer }) => [answer.name, answer.schema]);
  const errors = ERROR_CODES.map((code) => [errorName(code), errorSchema(code)]);
  return Object.fromEntries([...answers, ...errors]) as Readonly<Record<string, JsonSchema>>;
}

/** Every failure of every route once, and the two that belong to none. */
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
