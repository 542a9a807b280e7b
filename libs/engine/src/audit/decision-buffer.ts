import type { AuditStore, CommitFigures, Decision } from '../../../contracts/src/audit.js';
import { isTransient } from '../../../contracts/src/errors.js';
import type { Diagnostics } from '../ports.js';

const CAPACITY = 10_000;

/** So many are handed to the store at once: it commits together what it gets together. */
const AT_ONCE = 1_000;

/** How recording fares, live. */
export interface RecordingState {
  /** Decisions that nobody waits for, not written yet: the store is busy, or away. */
  readonly queued: number;
  /** Never written. */
  readonly lost: number;
  /** What the store says of its commits; `null` where it commits every decision by itself. */
  readonly commits: CommitFigures | null;
}

/**
 * Decisions that nobody waits for. A store that is away keeps them here, up to a bound; the oldest ones beyond
 * it are lost, and every loss is counted and said aloud.
 */
export class DecisionBuffer implements RecordingState {
  private readonly waiting: Decision[] = [];
  /** The store was away when it was given these; they go back to the front. */
  private readonly returned: Decision[] = [];
  private underWay = 0;
  /** One at a time to a store that was away, until it takes one. */
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
      // Those that are on their way into the store right now are not taken back.
      this.waiting.shift();
      this.lose(1, 'the audit buffer is full: the oldest decision is lost');
    }
    this.startWrites();
  }

  /** Resolves when everything is written, or the store has refused. */
  drain(): Promise<void> {
    this.startWrites();
    if (this.underWay === 0) return Promise.resolve();
    return new Promise((resolve) => this.atRest.push(resolve));
  }

  /** The end: what the store still refuses is lost. */
  async close(): Promise<void> {
    await this.drain();
    const given = this.waiting.splice(0).length;
    if (given > 0) this.lose(given, 'the store refused to the end: decisions are lost');
  }

  private startWrites(): void {
    while (this.returned.length === 0 && this.underWay < this.atOnce) {
      const next = this.waiting.shift();
      if (next === undefined) return;
      this.underWay++;
      void this.write(next);
    }
  }

  private async write(decision: Decision): Promise<void> {
    const tryWrite = await this.written(decision);
    if (!tryWrite) this.returned.push(decision);
    this.atOnce = tryWrite ? AT_ONCE : 1;
    this.underWay--;
    this.startWrites();
    if (this.underWay === 0) this.rest();
  }

  private rest(): void {
    this.waiting.unshift(...this.returned.splice(0));
    for (const resolve of this.atRest.splice(0)) resolve();
  }

  /** `false`: the store is away, and the decision has to wait. */
  private async written(decision: Decision): Promise<boolean> {
    try {
      await this.store.append(decision);
    } catch (error) {
      // A store that is away may come back: the next decision tries again. Anything else would fail for ever.
      if (isTransient(error)) return false;
      this.lose(1, 'a decision could not be recorded and is lost');
    }
    return true;
  }

  private lose(count: number, message: string): void {
    this.losses += count;
    this.diagnostics.warn(message, { lost: this.losses });
  }
}
