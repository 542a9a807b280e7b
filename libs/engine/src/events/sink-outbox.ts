import type { OutboxStore, QueuedEvent } from '#contracts/events/outbox.js';

/**
 * The outbox of one sink. Store errors are logged and not thrown: leased events are due again when their lease
 * expires.
 */
export class SinkOutbox {
  private readonly arrived: Acknowledgements;

  constructor(
    private readonly sink: string,
    private readonly outbox: OutboxStore,
    private readonly leaseMs: number,
    private readonly onFailure: (error: unknown) => void,
  ) {
    this.arrived = new Acknowledgements(outbox, sink, onFailure);
  }

  async claim(limit: number): Promise<readonly QueuedEvent[]> {
    return (await this.attempt(() => this.outbox.claim(this.sink, limit, this.leaseMs))) ?? [];
  }

  delivered(event: QueuedEvent): void {
    this.arrived.add(event);
  }

  /** Resolves when all acknowledgements were sent, or have failed. */
  flush(): Promise<void> {
    return this.arrived.flush();
  }

  async release(events: readonly QueuedEvent[]): Promise<void> {
    if (events.length > 0) await this.attempt(() => this.outbox.release(this.sink, events));
  }

  async retry(event: QueuedEvent, delayMs: number, reason: string): Promise<void> {
    await this.attempt(() => this.outbox.retry(this.sink, event, delayMs, reason));
  }

  async markDead(event: QueuedEvent, reason: string): Promise<void> {
    await this.attempt(() => this.outbox.markDead(this.sink, event, reason));
  }

  /** Makes all retries due at once, or up to `limit` of them. */
  async retryNow(limit?: number): Promise<void> {
    await this.attempt(() => this.outbox.retryNow(this.sink, limit));
  }

  async markOldDead(waitedMs: number, limit: number, reason: string): Promise<number> {
    return (await this.attempt(() => this.outbox.markOldDead(this.sink, waitedMs, limit, reason))) ?? 0;
  }

  private async attempt<Result>(act: () => Promise<Result>) {
    try {
      return await act();
    } catch (error) {
      this.onFailure(error);
      return undefined;
    }
  }
}

/** Acknowledges delivered events, in batches of those that arrive while a batch is sent. */
class Acknowledgements {
  private arrived: QueuedEvent[] = [];
  private sending: Promise<void> | null = null;

  constructor(
    private readonly outbox: OutboxStore,
    private readonly sink: string,
    /** Events whose acknowledgement failed are delivered again after their lease expires. */
    private readonly onFailure: (error: unknown) => void,
  ) {}

  add(event: QueuedEvent): void {
    this.arrived.push(event);
    this.sending ??= this.send();
  }

  /** Resolves when all acknowledgements were sent, or have failed. */
  async flush(): Promise<void> {
    await this.sending;
  }

  private async send() {
    while (this.arrived.length > 0) {
      const events = this.arrived;
      this.arrived = [];
      try {
        await this.outbox.delivered(this.sink, events);
      } catch (error) {
        this.onFailure(error);
      }
    }
    // This happens in the tick of the last check, so that no event is added without a sender.
    this.sending = null;
  }
}
