import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { onServer } from '../postgres/database.js';
import { throughServer } from '../servers/set-up.js';

/** The same database, on the replica. */
export const replicated = (url: string): string => throughServer(url, 'TEST_REPLICA_URL');

/** A commit that waits until the replica has applied it. It writes to the log, because an empty transaction does not wait. */
const WAITING_COMMIT = `
  begin;
  set local synchronous_commit = remote_apply;
  select pg_logical_emit_message(true, 'test', 'caught up');
  commit`;

/** Resolves when the replica has applied all previous commits. */
export async function caughtUp(url: string): Promise<void> {
  await onServer((server) => server.query(WAITING_COMMIT), url);
}

/** Stops the replay of the replica while `work` runs. */
export async function standingStill(url: string, work: () => Promise<void>): Promise<void> {
  await caughtUp(url);
  await onServer((replica) => replica.query('select pg_wal_replay_pause()'), replicated(url));
  try {
    await work();
  } finally {
    await onServer((replica) => replica.query('select pg_wal_replay_resume()'), replicated(url));
  }
}

/** A proxy of a server. After `shut`, every connection is closed and new ones are refused. */
export class Door {
  private readonly sockets = new Set<Socket>();
  private port = 0;
  private server: Server | undefined;

  constructor(private readonly url: string) {}

  /** Opens the proxy, again at the same port, and returns its URL. */
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
