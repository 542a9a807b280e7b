import { DeliveryError } from '../../../contracts/src/event-sink.js';

const REFUSED = 'the address of the receiver is not a public one: name it in allow if it is meant';

/** What can be said of a failed connection: never the address, and never what the receiver wrote. */
const WORDS: Readonly<Record<string, string>> = {
  ADDRESS_REFUSED: REFUSED,
  ECONNREFUSED: 'the receiver refuses the connection',
  ECONNRESET: 'the receiver broke the connection off',
  EPIPE: 'the receiver broke the connection off',
  ENOTFOUND: 'the name of the receiver is not known',
  EAI_AGAIN: 'the name of the receiver cannot be resolved now',
  ETIMEDOUT: 'the receiver does not answer',
  ABORT_ERR: 'the receiver does not answer in time',
  EHOSTUNREACH: 'there is no way to the receiver',
  ENETUNREACH: 'there is no way to the receiver',
};

const UNTRUSTED = /^(CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|ERR_TLS_|ERR_SSL_)/;

export function deliveryFailure(error: unknown): DeliveryError {
  if (error instanceof DeliveryError) return error;
  const { code } = error as { readonly code?: unknown };
  const name = typeof code === 'string' && /^[A-Z_0-9]{1,60}$/.test(code) ? code : 'unknown';
  if (UNTRUSTED.test(name))
    return new DeliveryError(`the certificate of the receiver is not trusted (${name})`);
  return new DeliveryError(WORDS[name] ?? `the receiver cannot be reached (${name})`);
}
