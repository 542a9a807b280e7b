import { request as send, type Agent, type IncomingHttpHeaders, type OutgoingHttpHeaders } from 'node:http';

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** The undecoded bytes. */
  readonly bytes: Buffer;
  /** The parsed body. */
  readonly body: Body;
}

export interface Body {
  readonly schema_version: string;
  readonly schema: string;
  readonly data: Readonly<Record<string, never>> & {
    readonly error: {
      readonly code: string;
      readonly message: string;
      readonly request_id: string;
      readonly fields: Readonly<Record<string, readonly string[]>>;
      readonly details: Readonly<Record<string, unknown>>;
    };
  };
}

export interface Call {
  /** A person of the bearer guard; `null` sends no authorization. Default `operator`. */
  readonly as?: string | null;
  readonly headers?: OutgoingHttpHeaders;
  /** Sent as JSON; strings and bytes are sent unchanged. */
  readonly body?: unknown;
}

/** Sends raw HTTP requests: paths are sent exactly as written. */
export class TestClient {
  constructor(
    readonly origin: string,
    readonly base = '/guardrails/api',
    /** Reuses connections. Default: one connection per request. */
    private readonly agent: Agent | false = false,
  ) {}

  /** The same host under another prefix. */
  under(base: string): TestClient {
    return new TestClient(this.origin, base);
  }

  get(path: string, call?: Call): Promise<Answer> {
    return this.call('GET', path, call);
  }

  post(path: string, body?: unknown, call: Call = {}): Promise<Answer> {
    return this.call('POST', path, { ...call, body });
  }

  put(path: string, body: unknown, call: Call = {}): Promise<Answer> {
    return this.call('PUT', path, { ...call, body });
  }

  /** `path` is below the prefix. */
  call(method: string, path: string, call?: Call): Promise<Answer> {
    return this.raw(method, `${this.base}${path}`, call);
  }

  raw(method: string, path: string, { as = 'operator', headers = {}, body }: Call = {}): Promise<Answer> {
    const sent = bytesOf(body);
    const { hostname, port } = new URL(this.origin);
    return new Promise((resolve, reject) => {
      const request = send({
        hostname,
        port,
        method,
        path,
        agent: this.agent,
        headers: {
          ...(as !== null && { authorization: `Bearer ${as}` }),
          ...(sent !== undefined && { 'content-type': 'application/json', 'content-length': sent.length }),
          ...headers,
        },
      });
      request.on('error', reject).on('response', (response) => {
        const chunks: Buffer[] = [];
        response
          .on('data', (chunk: Buffer) => chunks.push(chunk))
          .on('error', reject)
          .on('end', () => {
            const bytes = Buffer.concat(chunks);
            const text = bytes.toString('utf8');
            resolve({
              status: response.statusCode ?? 0,
              headers: response.headers,
              text,
              bytes,
              get body(): Body {
                return JSON.parse(text) as Body;
              },
            });
          });
      });
      request.end(sent);
    });
  }
}

function bytesOf(body: unknown): Buffer | undefined {
  if (body === undefined) return undefined;
  if (Buffer.isBuffer(body)) return body;
  return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
}
