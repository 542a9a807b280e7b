import type { AuditStore, Decision } from '../../../contracts/src/audit.js';
import { GuardrailsError, type ErrorCode } from '../../../contracts/src/errors.js';
import type { Diagnostics } from '../diagnostics.js';

const CAPACITY = 10_000;

const PASSING: ReadonlySet<ErrorCode> = new Set(['store_unavailable', 'query_timeout']);

/** What became of decisions that nobody waits for. */
export interface RecordingState {
  /** Not written yet: the store is busy, or away. */
  readonly queued: number;
  /** Never written. */
  readonly lost: number;
}

/**
 * Decisions that nobody waits for. A store that is away keeps them here, up to a bound; the oldest ones beyond
 * it are lost, and every loss is counted and said aloud.
 */
export class DecisionBuffer implements RecordingState {
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
      // The first one may be on its way into the store right now.
      this.waiting.splice(this.draining === null ? 0 : 1, 1);
      this.lose(1, 'the audit buffer is full: the oldest decision is lost');
    }
    void this.drain();
  }

  /** Resolves when everything is written, or the store has refused. */
  drain(): Promise<void> {
    if (this.draining === null && this.waiting.length > 0) this.draining = this.write();
    return this.draining ?? Promise.resolve();
  }

  /** The end: what the store still refuses is lost. */
  async close(): Promise<void> {
    await this.drain();
    const given = this.waiting.splice(0).length;
    if (given > 0) this.lose(given, 'the store refused to the end: decisions are lost');
  }

  private async write(): Promise<void> {
    try {
      for (let next = this.waiting[0]; next !== undefined; next = this.waiting[0]) {
        if (!(await this.written(next))) return;
        this.waiting.shift();
      }
    } finally {
      // In the same breath in which the queue was found empty: whoever comes next starts anew.
      this.draining = null;
    }
  }

  /** `false`: the store is away, and the decision has to wait. */
  private async written(decision: Decision): Promise<boolean> {
    try {
      await this.store.append(decision);
    } catch (error) {
      // A store that is away may come back: the next decision tries again. Anything else would fail for ever.
      if (error instanceof GuardrailsError && PASSING.has(error.code)) return false;
      this.lose(1, 'a decision could not be recorded and is lost');
    }
    return true;
  }

  private lose(count: number, message: string): void {
    this.losses += count;
    this.diagnostics.warn(message, { lost: this.losses });
  }
}
