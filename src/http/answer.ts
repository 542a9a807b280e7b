import type { ServerResponse } from 'node:http';
import { type Envelope, SCHEMA_VERSION } from '../../libs/contracts/src/api/api.routes.js';
import { scrubText } from '../../libs/contracts/src/text.js';
import type { Claim } from './claim.js';

/** Sets status and headers of an answer of ours, and returns the envelope to send. */
export function prepareAnswer(response: ServerResponse, claim: Claim, status: number, data: unknown): string {
  const body = envelopeText(claim.endpoint, data);
  prepareHead(response, claim, status);
  return body;
}

/** Status and headers of everything that we answer. */
export function prepareHead(response: ServerResponse, claim: Claim, status: number): void {
  response.statusCode = status;
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
  response.setHeader('Cache-Control', 'no-store');
  response.setHeader('X-Content-Type-Options', 'nosniff');
  response.setHeader('X-Request-Id', claim.requestId);
}

/** `JSON.stringify` escapes exactly what UTF-8 cannot hold: a look at its text is cheaper than a walk of the data. */
const UNSENDABLE = /\\u(?:d[89a-f]|0000)/;

export function envelopeText(endpoint: string, data: unknown): string {
  const envelope: Envelope<unknown> = {
    schema_version: SCHEMA_VERSION,
    schema: `${SCHEMA_VERSION}.${endpoint}`,
    data,
  };
  const text = JSON.stringify(envelope);
  return UNSENDABLE.test(text) ? JSON.stringify(scrubbed(JSON.parse(text))) : text;
}

function scrubbed(value: unknown): unknown {
  if (typeof value === 'string') return scrubText(value);
  if (Array.isArray(value)) return value.map(scrubbed);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [scrubText(key), scrubbed(inner)]));
}
