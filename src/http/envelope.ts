import type { ServerResponse } from 'node:http';
import { SCHEMA_VERSION, type Envelope } from '#contracts/api/api.routes.js';
import { scrubText } from '#contracts/text.js';
import type { ApiRequest } from './api-request.js';

/** What the body of an answer holds for the value that a handler returned; `null`: the handler answers by itself. */
export function answerText(response: ServerResponse, request: ApiRequest, data: unknown): string | null {
  const { match } = request;
  if (match.kind === 'panel' || (match.kind === 'route' && match.route.beside === true)) return null;
  if (match.kind !== 'document') return wrap(response, request, 200, data);
  setHead(response, request, 200);
  return String(data);
}

/** Sets status and headers, and returns the envelope as text. */
export function wrap(response: ServerResponse, request: ApiRequest, status: number, data: unknown): string {
  const body = envelopeText(request.endpoint, data);
  setHead(response, request, status);
  return body;
}

/** Sets status and headers that every answer has. */
export function setHead(response: ServerResponse, request: ApiRequest, status: number): void {
  response.statusCode = status;
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
  response.setHeader('Cache-Control', 'no-store');
  response.setHeader('X-Content-Type-Options', 'nosniff');
  response.setHeader('X-Request-Id', request.requestId);
}

/** `JSON.stringify` escapes what UTF-8 cannot encode. Searching its text is cheaper than walking the data. */
const UNSENDABLE = /\\u(?:d[89a-f]|0000)/;

export function envelopeText(endpoint: string, data: unknown): string {
  const envelope: Envelope<unknown> = {
    schema_version: SCHEMA_VERSION,
    schema: `${SCHEMA_VERSION}.${endpoint}`,
    data,
  };
  return sendableJson(envelope);
}

/** JSON without characters that UTF-8 or a receiver cannot hold. */
export function sendableJson(value: unknown): string {
  const text = JSON.stringify(value);
  return UNSENDABLE.test(text) ? JSON.stringify(scrub(JSON.parse(text))) : text;
}

function scrub(value: unknown): unknown {
  if (typeof value === 'string') return scrubText(value);
  if (Array.isArray(value)) return value.map(scrub);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [scrubText(key), scrub(inner)]));
}
