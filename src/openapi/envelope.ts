import { type Envelope, type ErrorData, SCHEMA_VERSION } from '../../libs/contracts/src/api/api.routes.js';
import type { ErrorCode } from '../../libs/contracts/src/errors.js';
import { ERROR_DESCRIPTIONS } from './error-descriptions.js';
import { anything, list, literal, mapOf, object, Optional, text, type JsonSchema } from './json-schema.js';

export function envelope(schema: JsonSchema, data: JsonSchema): JsonSchema {
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

export function envelopeExample(endpoint: string, data: unknown): Envelope<unknown> {
  return { schema_version: SCHEMA_VERSION, schema: `${SCHEMA_VERSION}.${endpoint}`, data };
}

const fields = mapOf(list(text, { minItems: 1 }));
const details = mapOf(anything);

/** `data` of an answer with this error. */
export function errorSchema(code: ErrorCode): JsonSchema {
  return {
    ...object<ErrorData>({
      error: object<ErrorData['error']>({
        code: literal(code),
        message: text,
        request_id: text,
        fields: new Optional(fields),
        details: new Optional(details),
      }),
    }),
    description: ERROR_DESCRIPTIONS[code].when,
  };
}
