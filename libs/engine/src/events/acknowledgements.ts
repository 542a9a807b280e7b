import type { OutboxStore, QueuedEvent } from '../../../contracts/src/outbox.js';

/** Tells the outbox what arrived, together with all that arrived while it was being told. */
export class Acknowledgements {
  private arrived: QueuedEvent[] = [];
  private telling: Promise<void> | null = null;

  constructor(
    private readonly outbox: OutboxStore,
    private readonly sink: string,
    /** What could not be told arrives once more when its lease has run out. */
    private readonly onFailure: (error: unknown) => void,
  ) {}

  add(event: QueuedEvent): void {
    this.arrived.push(event);
    this.telling ??= this.tell();
  }

  /** Resolves when everything is told, or could not be. */
  async settled(): Promise<void> {
    await this.telling;
  }

  private async tell(): Promise<void> {
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
    this.telling = null;
  }
}
