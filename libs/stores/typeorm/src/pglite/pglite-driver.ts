import { createRequire } from 'node:module';
import type pg from 'pg';
import { PgliteStream, type Session, type WireDatabase } from './pglite-stream.js';

export type { WireDatabase } from './pglite-stream.js';

/** The options of `createPgliteDriver`. */
export interface PgliteDriverOptions {
  /** How long a statement waits for the session. Default 10 000. */
  readonly acquireTimeoutMs?: number;
}

/** Several drivers of one PGlite share its only session. */
const sessions = new WeakMap<WireDatabase, SessionQueue>();

/**
 * `pg`, connected to the given PGlite: `typeormStores({ driver: createPgliteDriver(db) })`. PGlite has one session, so
 * connections take turns. A transaction keeps the session until it ends; using the pool inside a transaction times out.
 */
export function createPgliteDriver(
  database: WireDatabase,
  { acquireTimeoutMs = 10_000 }: PgliteDriverOptions = {},
): object {
  // An optional peer dependency, loaded only when it is used.
  const real = createRequire(import.meta.url)('pg') as typeof pg;
  const session = sessions.get(database) ?? new SessionQueue();
  sessions.set(database, session);
  class PglitePool extends real.Pool {
    constructor(options: pg.PoolConfig = {}) {
      super({
        ...options,
        ssl: false,
        host: 'pglite',
        user: 'postgres',
        database: 'postgres',
        stream: () => new PgliteStream(database, session, acquireTimeoutMs),
      });
    }
  }
  return { ...real, Client: real.Client, Pool: PglitePool };
}

interface Waiting {
  readonly connection: object;
  readonly admit: () => void;
}

/** Lends the session to one connection at a time, in the order of requests. */
export class SessionQueue implements Session {
  private holder: object | undefined;
  private readonly waiting: Waiting[] = [];

  /** Resolves at once if the connection holds the session already. */
  async acquire(connection: object, timeoutMs: number): Promise<void> {
    this.holder ??= connection;
    if (this.holder !== connection) await this.wait(connection, timeoutMs);
  }

  release(connection: object): void {
    if (this.holder !== connection) return;
    const next = this.waiting.shift();
    this.holder = next?.connection;
    next?.admit();
  }

  private wait(connection: object, timeoutMs: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.waiting.splice(this.waiting.indexOf(entry), 1);
        reject(new Error('PGlite: the session is busy. Do not use the pool inside an open transaction.'));
      }, timeoutMs);
      const entry: Waiting = {
        connection,
        admit: () => {
          clearTimeout(timer);
          resolve();
        },
      };
      this.waiting.push(entry);
    });
  }
}
