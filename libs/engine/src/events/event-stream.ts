import type { NumberedEvent, OutboxStore } from '../../../contracts/src/outbox.js';

const READ_AT_ONCE = 100;
const LOOK_EVERY_MS = 1_000;
/** Under load everybody looks for what came meanwhile, and not for each event by itself. */
const PAUSE_MS = 200;

/** What is kept in the outbox, as it comes. Looks for more while somebody reads, and costs nothing otherwise. */
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
  async positionOf(sequence: number | null): Promise<number> {
    const newest = await this.outbox.newest();
    return Math.min(sequence ?? newest, newest);
  }

  /** Everything after this number, or all that comes from now on; ends when the stream does, or `isGone` says so. */
  async *from(sequence: number | null, isGone: () => boolean): AsyncGenerator<readonly NumberedEvent[]> {
    let last = await this.positionOf(sequence);
    // The reader knows at once that it is heard, and where it stands.
    yield [];
    while (!this.ended && !isGone()) {
      const events = await this.outbox.after(last, READ_AT_ONCE);
      last = events.at(-1)?.sequence ?? last;
      if (events.length > 0) yield events;
      else await this.waitForMore();
    }
  }

  /** Something was just committed here. */
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

  private releaseReaders(): void {
    for (const go of this.waiting) go();
  }

  private waitForMore(): Promise<void> {
    if (this.ended) return Promise.resolve();
    this.looking ??= setTimeout(() => {
      this.looking = null;
      this.wake();
    }, LOOK_EVERY_MS).unref();
    return new Promise((resolve) => {
      const go = (): void => {
        this.waiting.delete(go);
        resolve();
      };
      this.waiting.add(go);
    });
  }
}
