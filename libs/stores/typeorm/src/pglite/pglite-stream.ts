import { Duplex } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import type { SessionQueue } from './session-queue.js';
import { leavesSessionIdle, nextUnit } from './wire-messages.js';

/** The part of PGlite that speaks PostgreSQL's wire protocol. */
export interface WireDatabase {
  /** A PGlite that was made with `new` opens in the background; before this it cannot answer. */
  readonly waitReady?: Promise<void>;
  execProtocolRaw(message: Uint8Array): Promise<Uint8Array>;
}

const ROLLBACK = Buffer.from('Q\0\0\0\rROLLBACK\0', 'latin1');

/** A socket as the `pg` client sees it, with PGlite in the same process at its other end. */
export class PgliteStream extends Duplex {
  private written: Buffer = Buffer.alloc(0);
  private started = false;
  private idle = true;

  constructor(
    private readonly database: WireDatabase,
    private readonly session: SessionQueue,
    private readonly patienceMs: number,
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

  override _read(): void {
    // Answers are pushed when they come.
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    this.written = Buffer.concat([this.written, chunk]);
    void this.settle(() => this.answerAll(), done);
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    void this.settle(
      () => this.leave(),
      (failure) => done(error ?? failure),
    );
  }

  private async settle(work: () => Promise<void>, done: (error?: Error | null) => void): Promise<void> {
    let failure: Error | null = null;
    try {
      await work();
    } catch (error) {
      failure = error as Error;
    }
    done(failure);
  }

  private async answerAll(): Promise<void> {
    for (;;) {
      const { length, ends } = nextUnit(this.written, this.started);
      if (ends) this.push(null);
      if (length === 0) return;
      const unit = this.written.subarray(0, length);
      this.written = this.written.subarray(length);
      await this.answer(unit);
    }
  }

  /** The session stays with this connection for as long as its transaction is open. */
  private async answer(unit: Buffer): Promise<void> {
    await this.session.acquire(this, this.patienceMs);
    try {
      const answer = Buffer.from(await this.database.execProtocolRaw(unit));
      this.started = true;
      this.idle = leavesSessionIdle(answer);
      // A database in this very process would otherwise let no timer run while somebody asks it without a pause.
      await setImmediate();
      this.push(answer);
    } finally {
      if (this.idle) this.session.release(this);
    }
  }

  /** A connection that goes away in the middle of a transaction takes it back. */
  private async leave(): Promise<void> {
    try {
      if (!this.idle) await this.database.execProtocolRaw(ROLLBACK);
    } finally {
      this.idle = true;
      this.session.release(this);
    }
  }
}
