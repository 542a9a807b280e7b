import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import type { ApiRoute } from '#contracts/api/api.routes.js';
import { GuardrailsError } from '#contracts/common/errors.js';
import { parsedJson } from '#contracts/common/text.js';
import { ApiRequest, type ReceivedBody } from './api-request.js';

/** Parses the body that the dispatcher received, once the gate has admitted the request. */
@Injectable()
export class BodyGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<Request>();
    const { match, body } = ApiRequest.get(request);
    request.body = match.kind === 'route' ? parseBody(match.route.body, body, request.headers) : undefined;
    return true;
  }
}

/** A client that sends too much still gets its answer, unless it exceeds the limit by more than this. */
const DISCARDED_BYTES = 16 * 1024 * 1024;

/**
 * Reads the whole body and keeps at most `limit` bytes, so that the parsers of the host find nothing left to read.
 * `done` is not called if the client disconnects.
 */
export function receiveBody(
  request: IncomingMessage & { readonly body?: unknown; readonly rawBody?: unknown },
  limit: number,
  done: (body: ReceivedBody) => void,
): void {
  if (request.readableEnded) return done(alreadyRead(request.rawBody ?? request.body, limit));
  if (!announcesBody(request)) return done({ kind: 'none' });
  if (Number(request.headers['content-length']) > limit + DISCARDED_BYTES) return done({ kind: 'endless' });
  const chunks: Buffer[] = [];
  let size = 0;

  const onData = (chunk: Buffer) => {
    size += chunk.length;
    if (size <= limit) chunks.push(chunk);
    else if (size > limit + DISCARDED_BYTES) finish({ kind: 'endless' });
    else chunks.length = 0;
  };
  const onEnd = () => finish(size > limit ? { kind: 'too_large' } : bytesOf(Buffer.concat(chunks)));
  const finish = (body: ReceivedBody) => {
    request.off('data', onData).off('end', onEnd);
    if (body.kind === 'endless') request.pause();
    done(body);
  };
  // An aborted upload ends with its connection, so its error needs no answer.
  request
    .on('data', onData)
    .on('end', onEnd)
    .on('error', () => undefined);
}

function announcesBody({ headers }: IncomingMessage) {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/** For a host whose server parses before Nest does: returns the raw bytes if the host stored them, else the parsed value. */
function alreadyRead(body: unknown, limit: number): ReceivedBody {
  if (body === undefined || body === null) return { kind: 'none' };
  const bytes = Buffer.isBuffer(body)
    ? body
    : Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
  return bytes.length > limit ? { kind: 'too_large' } : bytesOf(bytes);
}

function bytesOf(bytes: Buffer): ReceivedBody {
  return bytes.length === 0 ? { kind: 'none' } : { kind: 'bytes', bytes };
}

const JSON_TYPE = /^(?:application\/json|[\w!#$&^.-]+\/[\w!#$&^.-]+\+json)$/i;
const CHARSET = /;\s*charset\s*=\s*"?([^\s;"]*)"?/i;

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** `undefined` if the route takes no body, or if its body is optional and none was sent. */
function parseBody(need: ApiRoute['body'], received: ReceivedBody, headers: IncomingHttpHeaders): unknown {
  if (need === 'none') return undefined;
  if (received.kind === 'refused') throw received.error;
  if (received.kind === 'too_large' || received.kind === 'endless') {
    throw new GuardrailsError(
      'body_too_large',
      'The request body is larger than this route accepts. Send a smaller body, or raise api.body_limit.',
    );
  }
  if (received.kind === 'none' && need === 'optional') return undefined;
  if (!isJson(headers)) {
    throw new GuardrailsError(
      'unsupported_media_type',
      'The request body is not JSON in UTF-8. Send it with Content-Type: application/json and without Content-Encoding.',
    );
  }
  try {
    const value = parsedJson(utf8.decode(received.kind === 'bytes' ? received.bytes : Buffer.alloc(0)));
    if (value !== undefined) return value;
  } catch {
    // The body is not UTF-8.
  }
  throw new GuardrailsError(
    'malformed_json',
    'The request body is not valid JSON in UTF-8 of at most 64 levels. Correct it and send it again.',
  );
}

function isJson(headers: IncomingHttpHeaders): boolean {
  const type = headers['content-type'] ?? '';
  const encoding = headers['content-encoding']?.trim().toLowerCase() ?? 'identity';
  const charset = CHARSET.exec(type)?.[1]?.toLowerCase() ?? 'utf-8';
  return (
    JSON_TYPE.test((type.split(';')[0] ?? '').trim()) &&
    (encoding === 'identity' || encoding === '') &&
    (charset === 'utf-8' || charset === 'utf8')
  );
}
