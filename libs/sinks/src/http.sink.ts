import { Agent as PlainAgent, request as plainRequest, type IncomingMessage } from 'node:http';
import { Agent as SecureAgent, request as secureRequest } from 'node:https';
import { DeliveryError } from '#contracts/events/event-sink.js';
import { ConfigurationError } from '#contracts/common/errors.js';
import {
  AllowedAddresses,
  assertAllowedHost,
  checkedLookup,
  deliveryFailure,
  type Resolver,
} from './allowed-addresses.js';
import { FilteredSink, type SinkDefaults, type SinkOptions } from './filtered-sink.js';

const MAX_DISCARDED_BYTES = 64 * 1024;
const MAX_DISCARD_MS = 2_000;

/** The options of every sink that sends HTTP requests. */
export interface HttpEndpointOptions {
  readonly url: string;
  /**
   * Non-public addresses and networks that are allowed, such as `10.20.0.0/16`. Default: none, so that a wrong URL
   * cannot reach the internal network of the host.
   */
  readonly allow?: readonly string[];
  /** Accepts `http://` URLs, which are not encrypted. Default `false`. */
  readonly allowPlainHttp?: boolean;
  /** Certificate authorities in PEM. They replace those of the system. */
  readonly ca?: string;
  /** Resolves host names. Default: the DNS resolver of the system. */
  readonly resolve?: Resolver;
}

/** A sink with an HTTP receiver. Follows no redirects and connects only to allowed addresses. */
export abstract class HttpSink extends FilteredSink {
  readonly #url: URL;
  readonly #agent: PlainAgent;
  readonly #allowed: AllowedAddresses;

  constructor(options: SinkOptions & HttpEndpointOptions, defaults: SinkDefaults) {
    super(options, defaults);
    const { url, allow, allowPlainHttp = false, ca, resolve } = options;
    const parsed = URL.canParse(url) ? new URL(url) : null;
    const schemes = allowPlainHttp ? ['https:', 'http:'] : ['https:'];
    if (parsed === null || !schemes.includes(parsed.protocol))
      throw new ConfigurationError([
        `the sink ${this.name} needs a URL that begins with https:// (or with http:// and allowPlainHttp: true)`,
      ]);
    this.#url = parsed;
    this.#allowed = new AllowedAddresses(allow);
    const lookup = checkedLookup(this.#allowed, resolve);
    const shared = { keepAlive: true, maxSockets: this.concurrency, lookup };
    this.#agent =
      parsed.protocol === 'https:'
        ? new SecureAgent({ ...shared, ...(ca !== undefined && { ca }) })
        : new PlainAgent(shared);
  }

  override async close() {
    this.#agent.destroy();
  }

  /** Resolves when the receiver returned a 2xx status. The response body is discarded. */
  protected async post(body: string, headers: Readonly<Record<string, string>>): Promise<void> {
    try {
      assertAllowedHost(this.#url.hostname, this.#allowed);
      assertAccepted(await this.#send(Buffer.from(body), headers));
    } catch (error) {
      throw deliveryFailure(error);
    }
  }

  #send(body: Buffer, headers: Readonly<Record<string, string>>): Promise<IncomingMessage> {
    const begin = this.#url.protocol === 'https:' ? secureRequest : plainRequest;
    return new Promise((resolve, reject) => {
      const request = begin(this.#url, {
        method: 'POST',
        agent: this.#agent,
        signal: AbortSignal.timeout(this.timeoutMs),
        headers: { 'user-agent': 'nest-guardrails', ...headers, 'content-length': body.length },
      });
      request.on('response', (response) => {
        discard(response);
        resolve(response);
      });
      // A response that switches the protocol is not an acceptance.
      request.on('upgrade', (response, socket) => {
        socket.destroy();
        resolve(response);
      });
      request.on('error', reject);
      request.on('close', () => reject(Object.assign(new Error('no answer'), { code: 'ECONNRESET' })));
      request.end(body);
    });
  }
}

/** Reads the response body so that the connection can be reused. Closes it if the body is too long or too slow. */
function discard(response: IncomingMessage): void {
  let size = 0;
  const timer = setTimeout(() => response.destroy(), MAX_DISCARD_MS);
  response.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size > MAX_DISCARDED_BYTES) response.destroy();
  });
  response.on('error', () => undefined);
  response.on('close', () => clearTimeout(timer));
}

function assertAccepted({ statusCode = 0, headers }: IncomingMessage): void {
  if (statusCode >= 200 && statusCode < 300) return;
  const answered = `the receiver answered ${statusCode}`;
  if (statusCode === 410) throw new DeliveryError(answered, { gone: true });
  if (statusCode >= 300 && statusCode < 400)
    throw new DeliveryError(`${answered}: redirects are not followed`);
  const delayMs = retryAfterMs(headers['retry-after'], Date.now());
  throw new DeliveryError(answered, delayMs === null ? {} : { retryAfterMs: delayMs });
}

/** Parses seconds or an HTTP date. Returns `null` for any other value. */
function retryAfterMs(header: string | undefined, now: number): number | null {
  const text = header?.trim() ?? '';
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000;
  const date = /^[A-Z][a-z]{2}, /.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? null : Math.max(0, date - now);
}
