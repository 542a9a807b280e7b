import { createRequire } from 'node:module';
import type pg from 'pg';
import { PgliteStream, type WireDatabase } from './pglite-stream.js';
import { SessionQueue } from './session-queue.js';

export type { WireDatabase } from './pglite-stream.js';

export interface PgliteDriverOptions {
  /** A statement waits this long for its turn at the one session. Default 10 000. */
  readonly acquireTimeoutMs?: number;
}

/** However many drivers are made for it, a PGlite has one session. */
const sessions = new WeakMap<WireDatabase, SessionQueue>();

function sessionOf(database: WireDatabase): SessionQueue {
  const session = sessions.get(database) ?? new SessionQueue();
  sessions.set(database, session);
  return session;
}

/**
 * The real `pg`, whose connections all end in the given PGlite: `typeormStores({ driver: createPgliteDriver(db) })`.
 * PGlite is one session. Connections take turns, a transaction keeps its turn until it ends, and a use of the pool
 * from inside a transaction waits in vain.
 */
export function createPgliteDriver(
  database: WireDatabase,
  { acquireTimeoutMs = 10_000 }: PgliteDriverOptions = {},
): typeof pg {
  // An optional peer: whoever brings no PGlite needs no `pg` either.
  const real = createRequire(import.meta.url)('pg') as typeof pg;
  const session = sessionOf(database);
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
