import { createServer, type Server } from 'node:http';
import { type AddressInfo, isIPv6 } from 'node:net';
import type { NextFunction, Request, Response } from 'express';
import { ConfigurationError, GuardrailsError } from '#contracts/errors.js';
import type { ListenOptions } from '../guardrails-api.options.js';
import { ApiRequest } from './api-request.js';
import type { Dispatcher } from './dispatcher.js';
import { peer } from '../peer.js';
import { sendError } from './error.filter.js';

const STOP_MS = 10_000;

/** The own listener of the API, as configured in `api.listen`. */
export interface ListenerConfiguration {
  readonly port: number;
  readonly host: string;
  /** The values of a `Host` header, without a port, that are served. */
  readonly hosts: readonly string[];
}

/** Checks `api.listen`, and returns the reasons why it cannot be used. */
export function configureListener(options: ListenOptions): {
  readonly listener: ListenerConfiguration;
  readonly reasons: readonly string[];
} {
  const { port, host = '127.0.0.1', hosts } = options;
  const reasons: string[] = [];
  if (hosts !== undefined && !Array.isArray(hosts)) {
    reasons.push("api.listen.hosts must be a list: write hosts: ['guardrails.internal']");
  }
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    reasons.push(`api.listen.port is ${JSON.stringify(port)}: write a whole number from 0 to 65535`);
  }
  if (hosts === undefined && isWildcard(host)) {
    reasons.push(
      `api.listen.host ${JSON.stringify(host)} means every address of the machine: also write hosts: ['guardrails.internal'], the names under which clients reach it`,
    );
  }
  const given = Array.isArray(hosts) ? (hosts as readonly unknown[]) : [host, 'localhost'];
  const names = given.map((name) => [name, hostnameOf(bracketed(name))] as const);
  for (const [name, parsed] of names) {
    if (parsed !== null) continue;
    reasons.push(
      `api.listen ${JSON.stringify(name)} is not the name or address of a host: write one without scheme and path, such as 'guardrails.internal'`,
    );
  }
  return { listener: { port, host, hosts: names.flatMap(([, name]) => name ?? []) }, reasons };
}

/** Serves the API and the panel on a port of their own, in any application. Only `api.middleware` protects them there. */
export class Listener {
  private server: Server | null = null;
  /** Empty until it is open. */
  origin = '';

  constructor(
    private readonly configuration: ListenerConfiguration,
    private readonly dispatcher: Dispatcher,
  ) {}

  /** Rejects if the port cannot be used. */
  async open(): Promise<void> {
    const { configuration, dispatcher } = this;
    const { ExpressAdapter } = await peer('api.listen', () => import('@nestjs/platform-express'));
    const adapter = new ExpressAdapter();
    adapter.disable('x-powered-by');
    // This prevents DNS rebinding: browsers send the name that a page was opened with, and an unknown one is refused.
    adapter.use((request: Request, response: Response, next: NextFunction) => {
      if (configuration.hosts.includes(hostnameOf(request.headers.host ?? '') ?? '')) return next();
      this.refuse(request, response, new GuardrailsError('forbidden', UNKNOWN_HOST));
    });
    adapter.use(dispatcher.receive);
    adapter.use(dispatcher.dispatch);
    adapter.use(dispatcher.recover);
    adapter.use((request: Request, response: Response) => {
      this.refuse(request, response, new GuardrailsError('not_found', 'Nothing is served at this path.'));
    });
    const server = createServer(adapter.getInstance<(request: object, response: object) => void>());
    const { host, port } = configuration;
    await new Promise<void>((resolve, reject) => {
      server.once('error', (error: NodeJS.ErrnoException) => {
        reject(new ConfigurationError([`api.listen: ${host}:${port} cannot be used (${reasonOf(error)})`]));
      });
      server.listen(port, host, resolve);
    });
    this.server = server;
    this.origin = `http://${bracketed(host)}:${(server.address() as AddressInfo).port}`;
  }

  /** Waits for open requests, and closes their connections after ten seconds. */
  async close(): Promise<void> {
    const { server } = this;
    if (server === null) return;
    const limit = setTimeout(() => server.closeAllConnections(), STOP_MS);
    await new Promise((resolve) => {
      server.close(resolve);
      server.closeIdleConnections();
    });
    clearTimeout(limit);
  }

  private refuse(request: Request, response: Response, error: GuardrailsError): void {
    sendError(response, ApiRequest.register(this.dispatcher, { kind: 'unknown_path' }, request), error);
  }
}

const UNKNOWN_HOST =
  'The Host header of this request is not served here. Use an address of this service; the deployer adds further ones to api.listen.hosts.';

/** The host of a `Host` header in lower case, without its port; `null` if it is not valid. */
function hostnameOf(header: string): string | null {
  const address = `http://${header}`;
  return /^[^\s/?#@\\]+$/.test(header) && URL.canParse(address) ? new URL(address).hostname : null;
}

function bracketed(host: unknown): string {
  const text = typeof host === 'string' ? host : '';
  return isIPv6(text) ? `[${text}]` : text;
}

function isWildcard(host: string): boolean {
  return host === '0.0.0.0' || (isIPv6(host) && hostnameOf(`[${host}]`) === '[::]');
}

function reasonOf({ code, message }: NodeJS.ErrnoException): string {
  if (code === 'EADDRINUSE')
    return 'another program uses this port: choose another one, or stop that program';
  if (code === 'EADDRNOTAVAIL') return 'this machine does not have this address: correct host';
  if (code === 'EACCES') return 'this process may not use this port: choose one from 1024';
  return message;
}
