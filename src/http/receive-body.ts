import type { IncomingMessage } from 'node:http';

export type ReceivedBody =
  | { readonly kind: 'none' }
  | { readonly kind: 'bytes'; readonly bytes: Buffer }
  | { readonly kind: 'too_large' }
  /** A parser in front of us would not have it. */
  | { readonly kind: 'refused'; readonly error: unknown }
  /** Still coming when we stopped listening: the connection cannot be used again. */
  | { readonly kind: 'endless' };

/** A client that sends too much still gets its answer, as long as it stops somewhere. */
const DISCARDED_BYTES = 16 * 1024 * 1024;

/**
 * Takes the whole body off the wire, keeping at most `limit` bytes, so that no parser behind us finds anything
 * left to read. `done` is not called for a client that went away.
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

  const onData = (chunk: Buffer): void => {
    size += chunk.length;
    if (size <= limit) chunks.push(chunk);
    else if (size > limit + DISCARDED_BYTES) finish({ kind: 'endless' });
    else chunks.length = 0;
  };
  const onEnd = (): void => finish(size > limit ? { kind: 'too_large' } : bytesOf(Buffer.concat(chunks)));
  const finish = (body: ReceivedBody): void => {
    request.off('data', onData).off('end', onEnd);
    if (body.kind === 'endless') request.pause();
    done(body);
  };
  request.on('data', onData).on('end', onEnd).on('error', ignore);
}

function announcesBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/** A host whose own server parses before Nest does: its bytes, or else what they meant. */
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

function ignore(): void {
  // An aborted upload ends with its connection; there is nobody left to tell.
}
