import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import {
  createServer as createTcpServer,
  type AddressInfo,
  type Server as TcpServer,
  type Socket,
} from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { readFileSync } from 'node:fs';

export interface Received {
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
  readonly url: string;
}

type Answer = (request: Received, response: ServerResponse) => void;

/** Value of `allow` for receivers of the tests. */
export const HERE = ['127.0.0.1'];

export const accepts: Answer = (_, response) => void response.writeHead(202).end('{}');

export function answers(status: number, headers: Readonly<Record<string, string>> = {}): Answer {
  return (_, response) => void response.writeHead(status, headers).end('no');
}

/** An HTTP receiver that records requests and responds with `answer`. */
export class HttpReceiver {
  readonly received: Received[] = [];
  answer: Answer = accepts;
  private readonly server: Server;
  private waiting: (() => void)[] = [];

  constructor() {
    this.server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const body = Buffer.concat(chunks).toString();
        const received = { headers: request.headers, body, url: request.url ?? '' };
        this.received.push(received);
        this.answer(received, response);
        for (const notify of this.waiting.splice(0)) notify();
      });
    });
  }

  async start(): Promise<this> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    return this;
  }

  async arrived(count: number): Promise<void> {
    while (this.received.length < count) await new Promise<void>((resolve) => this.waiting.push(resolve));
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}/hook`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}

export const CERTIFICATE = readFileSync(new URL('./tls/localhost.crt', import.meta.url), 'utf8');
const KEY = readFileSync(new URL('./tls/localhost.key', import.meta.url), 'utf8');

/** Receives octet-counted frames over TCP or TLS. */
export class FrameReceiver {
  readonly frames: string[] = [];
  private readonly server: TcpServer;
  private readonly sockets = new Set<Socket>();
  private waiting: (() => void)[] = [];

  constructor(transport: 'tcp' | 'tls') {
    const take = (socket: Socket): void => {
      this.sockets.add(socket);
      let rest: Buffer = Buffer.alloc(0);
      socket.on('data', (chunk: Buffer) => (rest = this.cut(Buffer.concat([rest, chunk]))));
      socket.on('error', () => undefined);
    };
    this.server =
      transport === 'tls' ? createTlsServer({ cert: CERTIFICATE, key: KEY }, take) : createTcpServer(take);
  }

  async start(): Promise<this> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    return this;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  async arrived(count: number): Promise<readonly string[]> {
    while (this.frames.length < count) await new Promise<void>((resolve) => this.waiting.push(resolve));
    return this.frames;
  }

  async stop(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private cut(bytes: Buffer): Buffer {
    let rest = bytes;
    for (;;) {
      const space = rest.indexOf(' ');
      const length = Number(rest.subarray(0, space).toString());
      if (space < 0 || rest.length < space + 1 + length) return rest;
      this.frames.push(rest.subarray(space + 1, space + 1 + length).toString());
      rest = rest.subarray(space + 1 + length);
      for (const notify of this.waiting.splice(0)) notify();
    }
  }
}
