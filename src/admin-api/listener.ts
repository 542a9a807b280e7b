import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { NextFunction, Request, Response } from 'express';
import { ConfigurationError, GuardrailsError } from '#contracts/common/errors.js';
import { bracketed, hostnameOf, type ListenerConfiguration } from '../options/listener.configuration.js';
import { ApiRequest } from '../http/api-request.js';
import type { Dispatcher } from './dispatcher.js';
import { peer } from '../common/peer.js';
import { sendError } from '../http/error.filter.js';

const STOP_MS = 10_000;
const UNKNOWN_HOST =
  'The Host header of this request is not served here. Use an address of this service; the deployer adds further ones to api.listen.hosts.';

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

  private refuse(request: Request, response: Response, error: GuardrailsError) {
    sendError(response, ApiRequest.register(this.dispatcher, { kind: 'unknown_path' }, request), error);
  }
}

function reasonOf({ code, message }: NodeJS.ErrnoException) {
  if (code === 'EADDRINUSE')
    return 'another program uses this port: choose another one, or stop that program';
  if (code === 'EADDRNOTAVAIL') return 'this machine does not have this address: correct host';
  if (code === 'EACCES') return 'this process may not use this port: choose one from 1024';
  return message;
}
