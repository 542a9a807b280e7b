import type { IncomingHttpHeaders } from 'node:http';
import type { ApiRoute } from '../../libs/contracts/src/api/api.routes.js';
import { GuardrailsError } from '../../libs/contracts/src/errors.js';
import type { ReceivedBody } from './receive-body.js';

const JSON_TYPE = /^(?:application\/json|[\w!#$&^.-]+\/[\w!#$&^.-]+\+json)$/i;
const CHARSET = /;\s*charset\s*=\s*"?([^\s;"]*)"?/i;
const NOTHING = Buffer.alloc(0);

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Bytes → JSON; `undefined` where a route that needs no body got none. */
export function readJsonBody(
  need: ApiRoute['body'],
  received: ReceivedBody,
  headers: IncomingHttpHeaders,
): unknown {
  if (need === 'none') return undefined;
  if (received.kind === 'refused') throw received.error;
  if (received.kind === 'too_large' || received.kind === 'endless') {
    throw new GuardrailsError('body_too_large', 'The request body is too large.');
  }
  if (received.kind === 'none' && need === 'optional') return undefined;
  if (!isJson(headers)) throw unsupportedMediaType();
  return parsed(received.kind === 'bytes' ? received.bytes : NOTHING);
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

function parsed(bytes: Buffer): unknown {
  try {
    return JSON.parse(utf8.decode(bytes)) as unknown;
  } catch {
    throw new GuardrailsError('malformed_json', 'The request body is not valid JSON in UTF-8.');
  }
}

function unsupportedMediaType(): GuardrailsError {
  return new GuardrailsError(
    'unsupported_media_type',
    'Send the body as application/json, in UTF-8 and unencoded.',
  );
}
