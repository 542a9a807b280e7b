import { createRequire } from 'node:module';
import type pg from 'pg';
import { Duplex } from 'node:stream';
import { setImmediate } from 'node:timers/promises';

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
  // `pg` is an optional peer dependency, so it is loaded only when it is used.
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

/** Gives the session to one connection at a time, in the order of requests. */
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

/** The part of PGlite that implements PostgreSQL's wire protocol. */
export interface WireDatabase {
  /** Resolves when a PGlite that was created with `new` is open. */
  readonly waitReady?: Promise<void>;
  execProtocolRaw(message: Uint8Array): Promise<Uint8Array>;
}

/** The only session of a PGlite, which connections use in turn. */
export interface Session {
  acquire(connection: object, timeoutMs: number): Promise<void>;
  release(connection: object): void;
}

const ROLLBACK = Buffer.from('Q\0\0\0\rROLLBACK\0', 'latin1');

/** Takes the place of the socket of a `pg` client, and connects it to a PGlite in the same process. */
export class PgliteStream extends Duplex {
  private written: Buffer = Buffer.alloc(0);
  private started = false;
  private idle = true;

  constructor(
    private readonly database: WireDatabase,
    private readonly session: Session,
    private readonly acquireTimeoutMs: number,
  ) {
    super();
  }

  connect(): this {
    void Promise.resolve(this.database.waitReady).then(
      () => this.emit('connect'),
      (error: Error) => this.destroy(error),
    );
    return this;
  }

  setNoDelay(): this {
    return this;
  }

  setKeepAlive(): this {
    return this;
  }

  ref(): this {
    return this;
  }

  unref(): this {
    return this;
  }

  override _read() {
    // Nothing to do: answers are pushed when they arrive.
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void) {
    this.written = Buffer.concat([this.written, chunk]);
    void this.settle(() => this.answerAll(), done);
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void) {
    void this.settle(
      () => this.leave(),
      (failure) => done(error ?? failure),
    );
  }

  private async settle(work: () => Promise<void>, done: (error?: Error | null) => void) {
    let failure: Error | null = null;
    try {
      await work();
    } catch (error) {
      failure = error as Error;
    }
    done(failure);
  }

  private async answerAll() {
    for (;;) {
      const { length, ends } = nextUnit(this.written, this.started);
      if (ends) this.push(null);
      if (length === 0) return;
      const unit = this.written.subarray(0, length);
      this.written = this.written.subarray(length);
      await this.answer(unit);
    }
  }

  /** The connection keeps the session while its transaction is open. */
  private async answer(unit: Buffer) {
    await this.session.acquire(this, this.acquireTimeoutMs);
    try {
      const answer = Buffer.from(await this.database.execProtocolRaw(unit));
      this.started = true;
      this.idle = leavesSessionIdle(answer);
      // The pause lets timers run. Statements without one would block the event loop.
      await setImmediate();
      this.push(answer);
    } finally {
      if (this.idle) this.session.release(this);
    }
  }

  /** Rolls back the open transaction of a closed connection. */
  private async leave() {
    try {
      if (!this.idle) await this.database.execProtocolRaw(ROLLBACK);
    } finally {
      this.idle = true;
      this.session.release(this);
    }
  }
}

const QUERY = 0x51;
const SYNC = 0x53;
const TERMINATE = 0x58;
const READY_FOR_QUERY = 0x5a;

/** The complete messages at the beginning of the bytes that a client has written. */
interface WireUnit {
  /** Bytes of the start-up message, or of messages up to a Query or a Sync, which are answered as a whole; 0 for none. */
  readonly length: number;
  /** The client closes the connection after it. */
  readonly ends: boolean;
}

export function nextUnit(written: Buffer, started: boolean): WireUnit {
  if (!started) {
    const length = written.length < 4 ? 0 : written.readInt32BE(0);
    return { length: written.length < length ? 0 : length, ends: false };
  }
  let at = 0;
  while (at + 5 <= written.length) {
    const type = written[at];
    if (type === TERMINATE) return { length: 0, ends: true };
    at += 1 + written.readInt32BE(at + 1);
    if (at > written.length) break;
    if (type === QUERY || type === SYNC) return { length: at, ends: false };
  }
  return { length: 0, ends: false };
}

/** Whether no transaction is open after an answer. Every answer ends with ReadyForQuery. */
export function leavesSessionIdle(answer: Buffer): boolean {
  return answer.at(-6) === READY_FOR_QUERY && answer.at(-1) === 'I'.charCodeAt(0);
}
