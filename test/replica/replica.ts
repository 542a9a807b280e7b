import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { onServer } from '../postgres/database.js';
import { throughServer } from '../servers/set-up.js';

/** The same database, on the replica. */
export const replicated = (url: string): string => throughServer(url, 'TEST_REPLICA_URL');

/** A commit that waits until the replica shows it. Without a word in the log there would be nothing to wait for. */
const WAITING_COMMIT = `
  begin;
  set local synchronous_commit = remote_apply;
  select pg_logical_emit_message(true, 'test', 'caught up');
  commit`;

/** Resolves once the replica shows everything that had been committed. */
export async function caughtUp(url: string): Promise<void> {
  await onServer((server) => server.query(WAITING_COMMIT), url);
}

/** While `work` runs the replica stays as old as it is now. */
export async function standingStill(url: string, work: () => Promise<void>): Promise<void> {
  await caughtUp(url);
  await onServer((replica) => replica.query('select pg_wal_replay_pause()'), replicated(url));
  try {
    await work();
  } finally {
    await onServer((replica) => replica.query('select pg_wal_replay_resume()'), replicated(url));
  }
}

/** Stands before a server, and can be shut: then every connection ends, and none is taken. */
export class Door {
  private readonly sockets = new Set<Socket>();
  private port = 0;
  private server: Server | undefined;

  constructor(private readonly url: string) {}

  /** Open at the same address as before; the URL that leads through it. */
  async open(): Promise<string> {
    const { hostname, port } = new URL(this.url);
    this.server = createServer((client) => {
      const server = connect(Number(port), hostname);
      for (const socket of [client, server]) {
        this.sockets.add(socket);
        socket.on('error', () => socket.destroy());
        socket.on('close', () => this.sockets.delete(socket));
      }
      client.pipe(server).pipe(client);
    }).listen(this.port, '127.0.0.1');
    await once(this.server, 'listening');
    this.port = (this.server.address() as AddressInfo).port;
    const through = new URL(this.url);
    through.port = String(this.port);
    return through.href;
  }

  async shut(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    if (this.server === undefined) return;
    const closed = once(this.server, 'close');
    this.server.close();
    this.server = undefined;
    await closed;
  }
}
