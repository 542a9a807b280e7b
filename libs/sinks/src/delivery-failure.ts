import { DeliveryError } from '#contracts/events/event-sink.js';

const REFUSED = 'the address of the receiver is not public; add it to `allow` if this is intended';

/** Messages per error code. They contain neither the address nor anything that the receiver sent. */
const MESSAGES: Readonly<Record<string, string>> = {
  ADDRESS_REFUSED: REFUSED,
  ECONNREFUSED: 'the receiver refused the connection',
  ECONNRESET: 'the receiver closed the connection',
  EPIPE: 'the receiver closed the connection',
  ENOTFOUND: 'the host name of the receiver does not exist',
  EAI_AGAIN: 'the host name of the receiver cannot be resolved at the moment',
  ETIMEDOUT: 'the receiver did not respond',
  ABORT_ERR: 'the receiver did not respond in time',
  EHOSTUNREACH: 'there is no route to the receiver',
  ENETUNREACH: 'there is no route to the receiver',
};

const UNTRUSTED = /^(CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|ERR_TLS_|ERR_SSL_)/;

export function deliveryFailure(error: unknown): DeliveryError {
  if (error instanceof DeliveryError) return error;
  const { code } = error as { readonly code?: unknown };
  const name = typeof code === 'string' && /^[A-Z_0-9]{1,60}$/.test(code) ? code : 'unknown';
  if (UNTRUSTED.test(name))
    return new DeliveryError(`the certificate of the receiver is not trusted (${name})`);
  return new DeliveryError(MESSAGES[name] ?? `the receiver cannot be reached (${name})`);
}
