import { SCHEMA_VERSION, type ApiRoute, type Envelope } from '#contracts/api/api.routes.js';
import type { ErrorCode } from '#contracts/common/errors.js';
import { ERRORS } from '../http/errors.js';
import { about, literal, pattern, text, type JsonSchema } from '#contracts/common/schema.js';
import type { RouteDescription } from './answers.js';

const header = (description: string, schema: JsonSchema) => ({ description, required: true, schema });

export const HEADERS = {
  'Cache-Control': header('The answer must not be cached.', literal('no-store')),
  'X-Content-Type-Options': header('The content type must not be guessed.', literal('nosniff')),
  'X-Request-Id': header("The caller's if it is valid, else a generated one.", pattern('^[\\w.:-]{1,128}$')),
  ETag: header('Identifies the settings in force, for `If-Match`.', pattern('^"[^"]+"$')),
  'Retry-After': header('Seconds to wait before a retry.', pattern('^[1-9][0-9]*$')),
  Allow: header('The methods that this path supports.', text),
} as const;

type HeaderName = keyof typeof HEADERS;

function headers(...own: readonly HeaderName[]) {
  const names: readonly HeaderName[] = ['Cache-Control', 'X-Content-Type-Options', 'X-Request-Id', ...own];
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

export function success(
  { endpoint, streams, bulk, plain }: ApiRoute,
  { answer, etag, query }: RouteDescription,
) {
  if (bulk === true) return exported(answer, query?.some(({ name }) => name === 'format') === true);
  if (plain === true) return inText(answer);
  return {
    description: 'Success.',
    headers: headers(...(etag === true ? (['ETag'] as const) : [])),
    content: {
      [streams === true ? 'text/event-stream' : 'application/json']: {
        schema: envelope(literal(`${SCHEMA_VERSION}.${endpoint}`), schemaNamed(answer.name)),
        example: envelopeExample(endpoint, answer.example),
      },
    },
  };
}

function inText({ name, example }: RouteDescription['answer']) {
  return {
    description: 'Success.',
    headers: headers(),
    content: { 'text/plain': { schema: schemaNamed(name), example } },
  };
}

/** A line of JSON for each record, without an envelope; or CSV. */
function exported({ name, example }: RouteDescription['answer'], hasCsv: boolean) {
  return {
    description: 'Success.',
    headers: headers(),
    content: {
      'application/x-ndjson': { schema: schemaNamed(name), example },
      ...(hasCsv && { 'text/csv': { schema: text } }),
    },
  };
}

const endpointAsked = about(
  pattern(`^${SCHEMA_VERSION.replaceAll('.', '\\.')}\\.[a-z-]+$`),
  'An error keeps the schema of the requested endpoint; `error` if no route has the path.',
);

const headersOf = (code: ErrorCode): readonly HeaderName[] => [
  ...(code === 'method_not_allowed' ? (['Allow'] as const) : []),
  ...(ERRORS[code].retryAfter === undefined ? [] : (['Retry-After'] as const)),
];

/** One response for several codes, with examples of `endpoint`. */
export function failure(codes: readonly ErrorCode[], endpoint: string) {
  const own = new Set(codes.flatMap(headersOf));
  return {
    description: codes.map((code) => `\`${code}\`: ${ERRORS[code].when}`).join(' '),
    headers: headers(...own),
    content: {
      'application/json': {
        schema: envelope(endpointAsked, schemaNamed('Error')),
        examples: Object.fromEntries(codes.map((code) => [code, { value: exampleOf(code, endpoint) }])),
      },
    },
  };
}

function exampleOf(code: ErrorCode, endpoint: string) {
  const error = { code, ...ERRORS[code].example, request_id: 'req-7f3a' };
  return envelopeExample(endpoint, { error });
}

/** The entries of `api.middleware` may refuse with any 4xx status. */
const ANY_REFUSAL: readonly ErrorCode[] = ['not_found', 'forbidden'];

/** The codes of one route, grouped by status. */
export function codesByStatus(codes: readonly ErrorCode[]): ReadonlyMap<string, readonly ErrorCode[]> {
  const statuses = [...new Set(codes.map((code) => ERRORS[code].status))].toSorted(
    (one, other) => one - other,
  );
  const groups = statuses.map(
    (status) => [String(status), codes.filter((code) => ERRORS[code].status === status)] as const,
  );
  return new Map([...groups, ['4XX', ANY_REFUSAL]]);
}

function pascal(name: string) {
  return name.replaceAll(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

export function failureName(codes: readonly ErrorCode[]): string {
  return codes.map(pascal).join('Or');
}

function schemaNamed(name: string): JsonSchema {
  return { $ref: `#/components/schemas/${name}` };
}

function envelope(schema: JsonSchema, data: JsonSchema): JsonSchema {
  return {
    type: 'object',
    properties: {
      schema_version: literal(SCHEMA_VERSION),
      schema,
      data,
    },
    required: ['schema_version', 'schema', 'data'],
  };
}

function envelopeExample(endpoint: string, data: unknown): Envelope<unknown> {
  return { schema_version: SCHEMA_VERSION, schema: `${SCHEMA_VERSION}.${endpoint}`, data };
}
