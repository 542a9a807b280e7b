import type { OutboxStore, QueuedEvent } from '../../../contracts/src/outbox.js';

/**
 * What the outbox holds for one sink. A store that is away costs nothing but time: what was leased falls due again by
 * itself.
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

  /** Resolves when all that arrived is told, or could not be. */
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
    await this.attempt(() => this.outbox.bury(this.sink, event, reason));
  }

  /** Whatever waits for another try, or so many of those. */
  async retryNow(limit?: number): Promise<void> {
    await this.attempt(() => this.outbox.hasten(this.sink, limit));
  }

  async markOldDead(waitedMs: number, limit: number, reason: string): Promise<number> {
    return (await this.attempt(() => this.outbox.buryOld(this.sink, waitedMs, limit, reason))) ?? 0;
  }

  private async attempt<Result>(act: () => Promise<Result>): Promise<Result | undefined> {
    try {
      return await act();
    } catch (error) {
      this.onFailure(error);
      return undefined;
    }
  }
}

/** Tells the outbox what arrived, together with all that arrived while it was being told. */
export class Acknowledgements {
  private arrived: QueuedEvent[] = [];
  private sending: Promise<void> | null = null;

  constructor(
    private readonly outbox: OutboxStore,
    private readonly sink: string,
    /** What could not be told arrives once more when its lease has run out. */
    private readonly onFailure: (error: unknown) => void,
  ) {}

  add(event: QueuedEvent): void {
    this.arrived.push(event);
    this.sending ??= this.send();
  }

  /** Resolves when everything is told, or could not be. */
  async flush(): Promise<void> {
    await this.sending;
  }

  private async send(): Promise<void> {
    while (this.arrived.length > 0) {
      const events = this.arrived;
      this.arrived = [];
      try {
        await this.outbox.delivered(this.sink, events);
      } catch (error) {
        this.onFailure(error);
      }
    }
    // At once, and not a moment later: what arrives in between would be told by nobody.
    this.sending = null;
  }
}
