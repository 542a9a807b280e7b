const PAUSE_MS = 200;

/**
 * How often the outbox is asked: at once after a rest, and under load only now and then, for all that came meanwhile.
 * Every question costs the database what a decision could use.
 */
export class ClaimPace {
  private lastAsked = Number.NEGATIVE_INFINITY;
  private timer: NodeJS.Timeout | null = null;
  private hurried = 0;

  constructor(private readonly onPauseOver: () => void) {}

  /** Where the answer is no, there will be word when it is yes. */
  mayAsk(): boolean {
    const pause = this.lastAsked + PAUSE_MS - performance.now();
    if (this.hurried > 0 || pause <= 0) return true;
    this.timer ??= setTimeout(() => {
      this.timer = null;
      this.onPauseOver();
    }, pause).unref();
    return false;
  }

  /** @param mayHoldMore there is so much to do that pausing would only delay it */
  asked(mayHoldMore: boolean): void {
    this.lastAsked = mayHoldMore ? Number.NEGATIVE_INFINITY : performance.now();
  }

  /** Without a pause for as long as somebody waits. */
  async hurry(work: () => Promise<void>): Promise<void> {
    this.hurried += 1;
    try {
      await work();
    } finally {
      this.hurried -= 1;
    }
  }

  stop(): void {
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
  }
}
