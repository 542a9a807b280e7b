import type { ErrorCode } from '../../libs/contracts/src/errors.js';
import { ERROR_STATUS } from '../http/error-status.js';
import { envelope, envelopeExample } from './envelope.js';
import { ERROR_DESCRIPTIONS } from './error-descriptions.js';
import { headers, type HeaderName } from './headers.js';
import type { JsonSchema } from './json-schema.js';
import type { RouteDescription } from './route-description.js';

export function errorName(code: ErrorCode): string {
  return `${code.replaceAll(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase())}Error`;
}

export const component = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` });

export function success(endpoint: string, { answer, etag }: RouteDescription) {
  return {
    description: 'Done.',
    headers: headers(...(etag === true ? (['ETag'] as const) : [])),
    content: {
      'application/json': {
        schema: envelope(endpoint, component(answer.name)),
        example: envelopeExample(endpoint, answer.example),
      },
    },
  };
}

/** One response that stands for several codes. */
export function failure(endpoint: string, codes: readonly ErrorCode[], ...own: readonly HeaderName[]) {
  const schemas = codes.map((code) => component(errorName(code)));
  const [only = {}] = schemas;
  return {
    description: codes.map((code) => `\`${code}\`: ${ERROR_DESCRIPTIONS[code].when}`).join(' '),
    headers: headers(...own),
    content: {
      'application/json': {
        schema: envelope(endpoint, schemas.length === 1 ? only : { oneOf: schemas }),
        examples: Object.fromEntries(
          codes.map((code) => [
            code,
            {
              value: envelopeExample(endpoint, {
                error: { code, ...ERROR_DESCRIPTIONS[code].example, request_id: 'req-7f3a' },
              }),
            },
          ]),
        ),
      },
    },
  };
}

/** Status → response, for every error that a route can answer with. */
export function failures(endpoint: string, codes: readonly ErrorCode[]) {
  const statuses = new Set(codes.map((code) => ERROR_STATUS[code]));
  const responses = [...statuses].map((status) => [
    status,
    failure(
      endpoint,
      codes.filter((code) => ERROR_STATUS[code] === status),
      ...(status === 503 ? (['Retry-After'] as const) : []),
    ),
  ]);
  return { ...Object.fromEntries(responses), '4XX': otherRefusal(endpoint) };
}

/** The deployer's entries may refuse with any number, and hide what they guard. */
function otherRefusal(endpoint: string) {
  return failure(endpoint, ['not_found', 'forbidden']);
}
