import type { ServerResponse } from 'node:http';
import { type CallHandler, type ExecutionContext, type NestInterceptor, Injectable } from '@nestjs/common';
import type { Response } from 'express';
import { map, type Observable } from 'rxjs';
import { SCHEMA_VERSION, type Envelope } from '#contracts/api/api.routes.js';
import { scrubJson } from '#contracts/common/text.js';
import { ApiRequest } from './api-request.js';

/** Wraps the value that a handler returns in the envelope. Success is always 200. Routes beside the prefix and the panel have no envelope. */
@Injectable()
export class EnvelopeInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const request = ApiRequest.of(context);
    const response = context.switchToHttp().getResponse<Response>();
    if (request.match.kind === 'document') setHead(response, request, 200);
    if (!hasEnvelope(request)) return next.handle();
    return next.handle().pipe(
      map((data: object) => {
        const { ignored } = request;
        return wrap(response, request, 200, ignored.length === 0 ? data : { ...data, ignored });
      }),
    );
  }
}

function hasEnvelope({ match }: ApiRequest) {
  if (match.kind === 'document' || match.kind === 'panel') return false;
  return match.kind !== 'route' || match.route.beside !== true;
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
  return UNSENDABLE.test(text) ? JSON.stringify(scrubJson(JSON.parse(text))) : text;
}
