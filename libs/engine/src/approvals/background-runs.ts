/** Runs in progress at once; what is found beside them waits its turn. */
const MOST_AT_ONCE = 10;
/** More than this is left for the next look, here or elsewhere. */
const MOST_WAITING = 200;

/** Runs that nobody waits for: a slow one holds up neither the others, nor whoever asked for it. */
export class BackgroundRuns {
  private readonly waiting = new Map<number, () => Promise<unknown>>();
  private readonly running = new Map<number, Promise<unknown>>();
  private isClosed = false;

  /** `failed` hears of those that threw. */
  constructor(private readonly failed: (id: number, error: unknown) => void) {}

  /** There is no room for another one. */
  get isFull(): boolean {
    return this.isClosed || this.waiting.size >= MOST_WAITING;
  }

  has(id: number): boolean {
    return this.waiting.has(id) || this.running.has(id);
  }

  add(id: number, run: () => Promise<unknown>): void {
    if (this.isFull || this.has(id)) return;
    this.waiting.set(id, run);
    this.begin();
  }

  /** What has not begun does not begin any more. */
  close(): void {
    this.isClosed = true;
    this.waiting.clear();
  }

  /** Resolves when nothing runs. */
  async idle(): Promise<void> {
    while (this.running.size > 0) await Promise.all(this.running.values());
  }

  private begin(): void {
    for (const [id, run] of this.waiting) {
      if (this.running.size >= MOST_AT_ONCE) return;
      this.waiting.delete(id);
      const ended = Promise.resolve().then(run);
      this.running.set(id, this.watched(id, ended));
    }
  }

  private async watched(id: number, ended: Promise<unknown>): Promise<void> {
    try {
      await ended;
    } catch (error) {
      this.failed(id, error);
    } finally {
      this.running.delete(id);
      this.begin();
    }
  }
}
