import { createHmac, createPrivateKey, sign, type KeyObject } from 'node:crypto';
import { ConfigurationError } from '../../contracts/src/errors.js';

/** PKCS #8 around the 32 bytes of an Ed25519 seed. */
const ED25519_HEAD = Buffer.from('302e020100300506032b657004220420', 'hex');

type Signer = (content: string) => string;

/**
 * Signs as Standard Webhooks 1.0 asks: one signature for each key, so that a receiver may change to a new key while
 * the old one still counts. `whsec_…` is a shared secret (HMAC-SHA256), `whsk_…` a private Ed25519 key; both in
 * base64.
 */
export class WebhookSignature {
  readonly #signers: readonly Signer[];

  constructor(sink: string, keys: readonly string[]) {
    if (keys.length === 0)
      throw new ConfigurationError([
        `the sink ${sink} needs at least one key: whsec_ and 24 to 64 bytes in base64`,
      ]);
    this.#signers = keys.map((key, index) => signerOf(sink, key, index));
  }

  headers(id: string, body: string, now: Date): Readonly<Record<string, string>> {
    const timestamp = String(Math.floor(now.getTime() / 1000));
    const content = `${id}.${timestamp}.${body}`;
    return {
      'webhook-id': id,
      'webhook-timestamp': timestamp,
      'webhook-signature': this.#signers.map((signed) => signed(content)).join(' '),
    };
  }
}

function signerOf(sink: string, key: string, index: number): Signer {
  const [, kind, text] = /^(whsec|whsk)_([A-Za-z0-9+/]+={0,2})$/.exec(key) ?? [];
  const bytes = Buffer.from(text ?? '', 'base64');
  if (kind === 'whsec' && bytes.length >= 24 && bytes.length <= 64)
    return (content) => `v1,${createHmac('sha256', bytes).update(content).digest('base64')}`;
  if (kind === 'whsk' && (bytes.length === 32 || bytes.length === 64)) {
    const privateKey = ed25519(bytes.subarray(0, 32));
    return (content) => `v1a,${sign(null, Buffer.from(content), privateKey).toString('base64')}`;
  }
  throw new ConfigurationError([
    `the sink ${sink}: key ${index} is neither whsec_ and 24 to 64 bytes in base64, nor whsk_ and an Ed25519 key`,
  ]);
}

function ed25519(seed: Buffer): KeyObject {
  return createPrivateKey({ key: Buffer.concat([ED25519_HEAD, seed]), format: 'der', type: 'pkcs8' });
}
