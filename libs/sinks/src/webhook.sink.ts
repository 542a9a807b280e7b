import { createHmac, createPrivateKey, sign, type KeyObject } from 'node:crypto';
import type { DeliveredEvent } from '#contracts/events/event-sink.js';
import { ConfigurationError } from '#contracts/common/errors.js';
import { cloudEvent, SOURCE } from './event-format.js';
import type { SinkOptions } from './filtered-sink.js';
import { HttpSink, type HttpEndpointOptions } from './http.sink.js';

/** The options of `WebhookSink`. */
export interface WebhookOptions extends SinkOptions, HttpEndpointOptions {
  /** Signing keys (`whsec_…` or `whsk_…`), newest first. Each adds a signature. */
  readonly keys: readonly string[];
  /** The `source` of each CloudEvent. Default `/nest-guardrails`. */
  readonly source?: string;
}

/** Posts a CloudEvent as defined by Standard Webhooks 1.0. */
export class WebhookSink extends HttpSink {
  override readonly keepsLog = true;
  readonly #signature: WebhookSignature;
  readonly #source: string;

  constructor(options: WebhookOptions) {
    super(options, { name: 'webhook', minimumSeverity: 'low', concurrency: 4 });
    this.#signature = new WebhookSignature(this.name, options.keys);
    this.#source = options.source ?? SOURCE;
  }

  override deliver(event: DeliveredEvent) {
    const body = JSON.stringify(cloudEvent(event, this.#source));
    const signed = this.#signature.headers(event.id, body, new Date());
    const headers = { 'content-type': 'application/cloudevents+json', ...signed };
    return this.post(body, headers);
  }
}

/** The PKCS #8 header of a 32-byte Ed25519 seed. */
const ED25519_HEAD = Buffer.from('302e020100300506032b657004220420', 'hex');

type Signer = (content: string) => string;

/**
 * Signs as defined by Standard Webhooks 1.0, with one signature per key, so that a receiver can change keys without
 * losing events. `whsec_…` is a shared secret (HMAC-SHA256), `whsk_…` a private Ed25519 key; both in base64.
 */
class WebhookSignature {
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
