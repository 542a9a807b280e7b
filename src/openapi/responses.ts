import { SCHEMA_VERSION, type ApiRoute } from '../../libs/contracts/src/api/api.routes.js';
import type { ErrorCode } from '../../libs/contracts/src/errors.js';
import { ERROR_STATUS } from '../http/error-status.js';
import { envelope, envelopeExample } from './envelope.js';
import { ERROR_DESCRIPTIONS } from './error-descriptions.js';
import { headers, type HeaderName } from './headers.js';
import { about, literal, pattern, type JsonSchema } from './json-schema.js';
import type { RouteDescription } from './route-description.js';

export function success({ endpoint, streams }: ApiRoute, { answer, etag }: RouteDescription) {
  return {
    description: 'Done.',
    headers: headers(...(etag === true ? (['ETag'] as const) : [])),
    content: {
      [streams === true ? 'text/event-stream' : 'application/json']: {
        schema: envelope(literal(`${SCHEMA_VERSION}.${endpoint}`), schemaNamed(answer.name)),
        example: envelopeExample(endpoint, answer.example),
      },
    },
  };
}

const OWN_HEADERS: Partial<Record<ErrorCode, HeaderName>> = {
  method_not_allowed: 'Allow',
  store_unavailable: 'Retry-After',
  query_timeout: 'Retry-After',
};

const endpointAsked = about(
  pattern(`^${SCHEMA_VERSION.replaceAll('.', '\\.')}\\.[a-z-]+$`),
  'An error keeps the schema of the endpoint asked; `error` where no route serves the path.',
);

/** One response that stands for several codes, as `endpoint` would answer it. */
export function failure(codes: readonly ErrorCode[], endpoint: string) {
  const [schema = {}, ...more] = codes.map((code) => schemaNamed(errorName(code)));
  const own = new Set(codes.flatMap((code) => OWN_HEADERS[code] ?? []));
  return {
    description: codes.map((code) => `\`${code}\`: ${ERROR_DESCRIPTIONS[code].when}`).join(' '),
    headers: headers(...own),
    content: {
      'application/json': {
        schema: envelope(endpointAsked, more.length === 0 ? schema : { oneOf: [schema, ...more] }),
        examples: Object.fromEntries(codes.map((code) => [code, { value: exampleOf(code, endpoint) }])),
      },
    },
  };
}

function exampleOf(code: ErrorCode, endpoint: string) {
  const error = { code, ...ERROR_DESCRIPTIONS[code].example, request_id: 'req-7f3a' };
  return envelopeExample(endpoint, { error });
}

/** The deployer's entries may refuse with any number, and may hide what they guard. */
const ANY_REFUSAL: readonly ErrorCode[] = ['not_found', 'forbidden'];

/** Codes of one route by the status that they share. */
export function codesByStatus(codes: readonly ErrorCode[]): ReadonlyMap<string, readonly ErrorCode[]> {
  const statuses = [...new Set(codes.map((code) => ERROR_STATUS[code]))].toSorted(
    (one, other) => one - other,
  );
  const groups = statuses.map(
    (status) => [String(status), codes.filter((code) => ERROR_STATUS[code] === status)] as const,
  );
  return new Map([...groups, ['4XX', ANY_REFUSAL]]);
}

function pascal(name: string): string {
  return name.replaceAll(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

export function errorName(code: ErrorCode): string {
  return `${pascal(code)}Error`;
}

/** The component that answers with one of these codes. */
export function failureName(codes: readonly ErrorCode[]): string {
  return codes.map(pascal).join('Or');
}

function schemaNamed(name: string): JsonSchema {
  return { $ref: `#/components/schemas/${name}` };
}
