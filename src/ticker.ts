import { Logger } from '@nestjs/common';

/** Does something again and again, never twice at once, and keeps no process alive. Says once when it begins to fail. */
export class Ticker {
  private readonly logger = new Logger('Guardrails');
  private timer: NodeJS.Timeout | null = null;
  private running: Promise<void> | null = null;
  private failing = false;

  constructor(
    private readonly what: string,
    private readonly everyMs: number,
    private readonly task: () => Promise<void>,
    private readonly first: 'after a while' | 'at once' = 'after a while',
  ) {}

  start(): void {
    this.timer = setInterval(() => this.tick(), this.everyMs).unref();
    if (this.first === 'at once') this.tick();
  }

  /** Resolves when nothing of it runs any more. */
  async stop(): Promise<void> {
    if (this.timer !== null) clearInterval(this.timer);
    this.timer = null;
    await this.running;
  }

  private tick(): void {
    this.running ??= this.run().finally(() => (this.running = null));
  }

  private async run(): Promise<void> {
    try {
      await this.task();
      this.failing = false;
    } catch (error) {
      if (!this.failing)
        this.logger.error(`${this.what} fails`, error instanceof Error ? error.stack : String(error));
      this.failing = true;
    }
  }
}
