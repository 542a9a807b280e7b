// Decisions that are written later, as `audit.write_policy` says: the audit trail adds them.
import type { AuditStore, CommitFigures } from '#contracts/audit/store.js';
import type { Decision } from '#contracts/audit/record.js';
import { isTransient } from '#contracts/common/errors.js';
import type { Diagnostics } from '../shared/ports.js';

const CAPACITY = 10_000;

/** Maximum number of concurrent writes; the store commits concurrent decisions together. */
const AT_ONCE = 1_000;

/** Live figures of recording. */
export interface RecordingState {
  /** Buffered decisions that are not written yet. */
  readonly queued: number;
  /** Decisions that were never written. */
  readonly lost: number;
  /** Figures of the store; `null` where every decision has its own commit. */
  readonly commits: CommitFigures | null;
}

/**
 * Writes decisions that callers do not wait for. While the store is unavailable they are kept, up to a limit;
 * beyond it the oldest are lost, and every loss is counted and logged.
 */
export class DecisionBuffer implements RecordingState {
  private readonly waiting: Decision[] = [];
  /** Decisions whose write failed; they return to the front of the queue. */
  private readonly returned: Decision[] = [];
  private underWay = 0;
  /** One at a time after a failure, until a write succeeds. */
  private atOnce = AT_ONCE;
  private atRest: (() => void)[] = [];
  private losses = 0;

  constructor(
    private readonly store: AuditStore,
    private readonly diagnostics: Diagnostics,
  ) {}

  get queued(): number {
    return this.waiting.length + this.returned.length + this.underWay;
  }

  get lost(): number {
    return this.losses;
  }

  get commits(): CommitFigures | null {
    return this.store.commits;
  }

  push(decision: Decision): void {
    this.waiting.push(decision);
    if (this.queued > CAPACITY) {
      // Writes in progress cannot be dropped.
      this.waiting.shift();
      this.lose(1, 'the audit buffer is full: the oldest decision is lost; check the store');
    }
    this.startWrites();
  }

  /** Resolves when everything is written, or a write has failed. */
  drain(): Promise<void> {
    this.startWrites();
    if (this.underWay === 0) return Promise.resolve();
    return new Promise((resolve) => this.atRest.push(resolve));
  }

  /** Writes the rest; decisions that still fail are lost. */
  async close(): Promise<void> {
    await this.drain();
    const count = this.waiting.splice(0).length;
    if (count > 0) this.lose(count, 'the store was unavailable until shutdown: buffered decisions are lost');
  }

  private startWrites() {
    while (this.returned.length === 0 && this.underWay < this.atOnce) {
      const next = this.waiting.shift();
      if (next === undefined) return;
      this.underWay++;
      void this.write(next);
    }
  }

  private async write(decision: Decision) {
    const tryWrite = await this.written(decision);
    if (!tryWrite) this.returned.push(decision);
    this.atOnce = tryWrite ? AT_ONCE : 1;
    this.underWay--;
    this.startWrites();
    if (this.underWay === 0) this.rest();
  }

  private rest() {
    this.waiting.unshift(...this.returned.splice(0));
    for (const resolve of this.atRest.splice(0)) resolve();
  }

  /** `false`: the store is unavailable, and the decision stays in the buffer. */
  private async written(decision: Decision) {
    try {
      await this.store.append(decision);
    } catch (error) {
      // Only transient errors are retried, with the next decision.
      if (isTransient(error)) return false;
      this.lose(1, 'a decision could not be recorded and is lost');
    }
    return true;
  }

  private lose(count: number, message: string) {
    this.losses += count;
    this.diagnostics.warn(message, { lost: this.losses });
  }
}
