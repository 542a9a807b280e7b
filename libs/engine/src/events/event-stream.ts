import type { NumberedEvent, OutboxStore } from '#contracts/events/outbox.js';

const READ_AT_ONCE = 100;
const LOOK_EVERY_MS = 1_000;
/** Minimum interval between reads under load. */
const PAUSE_MS = 200;

/** Where a reader starts, and the newest event at that time. */
export interface StreamStart {
  readonly position: number;
  readonly newest: number;
}

/** Streams stored events. Polls the outbox only while there are readers. */
export class EventStream {
  private readonly waiting = new Set<() => void>();
  private looking: NodeJS.Timeout | null = null;
  private pausing: NodeJS.Timeout | null = null;
  private ended = false;

  constructor(private readonly outbox: OutboxStore) {}

  get isClosed(): boolean {
    return this.ended;
  }

  /**
   * Where a reader starts: after this number, or after the newest event. A number from before a restore may exceed
   * every event; waiting for it would miss the new ones.
   */
  async start(sequence: number | null): Promise<StreamStart> {
    const newest = await this.outbox.newest();
    return { position: Math.min(sequence ?? newest, newest), newest };
  }

  /** Events after this position. Ends with the stream, or when `isGone` returns true. */
  async *from(position: number, isGone: () => boolean): AsyncGenerator<readonly NumberedEvent[]> {
    let last = position;
    // An empty batch shows the reader that the stream is open.
    yield [];
    while (!this.ended && !isGone()) {
      const events = await this.outbox.after(last, READ_AT_ONCE);
      last = events.at(-1)?.sequence ?? last;
      if (events.length > 0) yield events;
      else await this.waitForMore();
    }
  }

  /** Events were committed on this instance. */
  wake(): void {
    if (this.waiting.size === 0 || this.pausing !== null) return;
    this.releaseReaders();
    this.pausing = setTimeout(() => {
      this.pausing = null;
      this.releaseReaders();
    }, PAUSE_MS).unref();
  }

  close(): void {
    this.ended = true;
    this.releaseReaders();
  }

  private releaseReaders() {
    for (const go of this.waiting) go();
  }

  private waitForMore(): Promise<void> {
    if (this.ended) return Promise.resolve();
    this.looking ??= setTimeout(() => {
      this.looking = null;
      this.wake();
    }, LOOK_EVERY_MS).unref();
    return new Promise((resolve) => {
      const go = () => {
        this.waiting.delete(go);
        resolve();
      };
      this.waiting.add(go);
    });
  }
}
