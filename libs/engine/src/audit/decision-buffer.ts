import type { AuditStore, Decision } from '../../../contracts/src/audit.js';
import { GuardrailsError } from '../../../contracts/src/errors.js';
import type { Diagnostics } from '../diagnostics.js';

const CAPACITY = 10_000;

/**
 * Decisions that nobody waits for. A store that is away keeps them here, up to a bound; the oldest ones beyond
 * it are lost, and every loss is counted and said aloud.
 */
export class DecisionBuffer {
  private readonly waiting: Decision[] = [];
  private draining: Promise<void> | null = null;
  private losses = 0;

  constructor(
    private readonly store: AuditStore,
    private readonly diagnostics: Diagnostics,
  ) {}

  get queued(): number {
    return this.waiting.length;
  }

  get lost(): number {
    return this.losses;
  }

  push(decision: Decision): void {
    this.waiting.push(decision);
    if (this.waiting.length > CAPACITY) {
      this.waiting.shift();
      this.lose('the audit buffer is full: the oldest decision is lost');
    }
    void this.drain();
  }

  /** Resolves when everything is written, or the store has refused. */
  drain(): Promise<void> {
    this.draining ??= this.write().finally(() => (this.draining = null));
    return this.draining;
  }

  private async write(): Promise<void> {
    for (let next = this.waiting[0]; next !== undefined; next = this.waiting[0]) {
      try {
        await this.store.append(next);
      } catch (error) {
        // A store that is away may come back: the next decision tries again. Anything else would fail for ever.
        if (error instanceof GuardrailsError && error.code === 'store_unavailable') return;
        this.lose('a decision could not be recorded and is lost');
      }
      if (this.waiting[0] === next) this.waiting.shift();
    }
  }

  private lose(message: string): void {
    this.losses += 1;
    this.diagnostics.warn(message, { lost: this.losses });
  }
}
