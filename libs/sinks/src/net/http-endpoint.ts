import { Agent as PlainAgent, request as plainRequest, type IncomingMessage } from 'node:http';
import { Agent as SecureAgent, request as secureRequest } from 'node:https';
import { DeliveryError } from '../../../contracts/src/event-sink.js';
import { ConfigurationError } from '../../../contracts/src/errors.js';
import { AllowedAddresses } from './addresses.js';
import { assertAllowedHost, checkedLookup, type Resolver } from './checked-lookup.js';
import { deliveryFailure } from './delivery-failure.js';
import { retryAfterMs } from './retry-after.js';

const MOST_DISCARDED = 64 * 1024;
const DISCARDED_FOR_MS = 2_000;

export interface HttpEndpointOptions {
  readonly url: string;
  /**
   * Addresses and networks beside the public ones, such as `10.20.0.0/16`. Default: none, so that no configuration
   * can point a sink at the host's own network by mistake.
   */
  readonly allow?: readonly string[];
  /** Also `http://`, which anybody on the way can read. Default `false`. */
  readonly allowPlainHttp?: boolean;
  /** Certificate authorities in PEM, in place of the system's. */
  readonly ca?: string;
  /** How names are resolved. Default: by the system. */
  readonly resolve?: Resolver;
}

/** One receiver over HTTP. Redirects are never followed, and connections only go where they may. */
export class HttpEndpoint {
  readonly #url: URL;
  readonly #agent: PlainAgent;
  readonly #allowed: AllowedAddresses;

  constructor(
    sink: string,
    { url, allow, allowPlainHttp = false, ca, resolve }: HttpEndpointOptions,
    concurrency: number,
  ) {
    const parsed = URL.canParse(url) ? new URL(url) : null;
    const schemes = allowPlainHttp ? ['https:', 'http:'] : ['https:'];
    if (parsed === null || !schemes.includes(parsed.protocol))
      throw new ConfigurationError([
        `the sink ${sink} needs an address that begins with https:// (or with http:// and allowPlainHttp: true)`,
      ]);
    this.#url = parsed;
    this.#allowed = new AllowedAddresses(allow);
    const lookup = checkedLookup(this.#allowed, resolve);
    const shared = { keepAlive: true, maxSockets: concurrency, lookup };
    this.#agent =
      parsed.protocol === 'https:'
        ? new SecureAgent({ ...shared, ...(ca !== undefined && { ca }) })
        : new PlainAgent(shared);
  }

  /** Resolves when the receiver has accepted; what it answers is not read. */
  async post(body: string, headers: Readonly<Record<string, string>>, timeoutMs: number): Promise<void> {
    try {
      assertAllowedHost(this.#url.hostname, this.#allowed);
      judge(await this.#send(Buffer.from(body), headers, timeoutMs));
    } catch (error) {
      throw deliveryFailure(error);
    }
  }

  close(): void {
    this.#agent.destroy();
  }

  #send(
    body: Buffer,
    headers: Readonly<Record<string, string>>,
    timeoutMs: number,
  ): Promise<IncomingMessage> {
    const begin = this.#url.protocol === 'https:' ? secureRequest : plainRequest;
    return new Promise((resolve, reject) => {
      const request = begin(this.#url, {
        method: 'POST',
        agent: this.#agent,
        signal: AbortSignal.timeout(timeoutMs),
        headers: { 'user-agent': 'nest-guardrails', ...headers, 'content-length': body.length },
      });
      request.on('response', (response) => {
        discard(response);
        resolve(response);
      });
      // A receiver that would rather speak another protocol has taken nothing.
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

/** Reads what is left, so that the connection can be used again; a receiver that goes on and on loses it. */
function discard(response: IncomingMessage): void {
  let size = 0;
  const timer = setTimeout(() => response.destroy(), DISCARDED_FOR_MS);
  response.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size > MOST_DISCARDED) response.destroy();
  });
  response.on('error', () => undefined);
  response.on('close', () => clearTimeout(timer));
}

function judge({ statusCode = 0, headers }: IncomingMessage): void {
  if (statusCode >= 200 && statusCode < 300) return;
  const answered = `the receiver answered ${statusCode}`;
  if (statusCode === 410) throw new DeliveryError(answered, { gone: true });
  if (statusCode >= 300 && statusCode < 400)
    throw new DeliveryError(`${answered}: a redirect, which is never followed`);
  const wish = retryAfterMs(headers['retry-after'], Date.now());
  throw new DeliveryError(answered, wish === null ? {} : { retryAfterMs: wish });
}
