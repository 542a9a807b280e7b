import type { EventName } from './events.js';
import type { StoredEvent } from './outbox.js';
import type { PromptStorage } from './audit.js';
import type { Severity } from './screening.js';

/** What the audit keeps of a text, after hygiene; nothing where it was erased. */
export interface EventContent {
  readonly prompt: string;
  readonly promptStorage: PromptStorage;
  readonly matchedText: string | null;
}

/** An event as a sink is given it. */
export interface DeliveredEvent extends StoredEvent {
  /** How often its delivery has failed before: 0 at first. */
  readonly attempts: number;
  /** The page of the panel that shows it; `null` where the panel's address is not configured. */
  readonly link: string | null;
  /** Only for a sink that asks for it. */
  readonly content: EventContent | null;
}

/** Carries events out of the process: a SIEM, a chat, a pager. At least once, so consumers de-duplicate by id. */
export abstract class EventSink {
  /** What its deliveries are kept under: `^[a-z][a-z0-9_-]{0,39}$`, unique, and the same on every instance. */
  abstract readonly name: string;

  /** Deliveries under way at once, each of another subject. */
  readonly concurrency: number = 4;

  /** A delivery that takes longer is waited for no more, and counts as failed. */
  readonly timeoutMs: number = 15_000;

  /** Whether it is given prompts and values of settings as well. */
  readonly includesContent: boolean = false;

  /** What it does not select never enters the outbox on its account. Default: everything. */
  selects(_name: EventName, _severity: Severity): boolean {
    return true;
  }

  /**
   * Resolves once the event has arrived. What throws is tried again, later and later; a `DeliveryError` may say when.
   * Messages of errors are shown to operators: no address, no secret in them.
   */
  abstract deliver(event: DeliveredEvent): Promise<void>;

  /** Ends what it holds open. Nothing is delivered afterwards. */
  async close(): Promise<void> {}
}

export interface DeliveryFacts {
  /** The receiver said when to come back. */
  readonly retryAfterMs?: number;
  /** The receiver wants nothing more, ever: the sink rests until it is tested successfully or the process restarts. */
  readonly gone?: boolean;
}

/** Why a delivery failed, in words that an operator may read. */
export class DeliveryError extends Error {
  override readonly name = 'DeliveryError';
  readonly retryAfterMs: number | null;
  readonly gone: boolean;

  constructor(message: string, { retryAfterMs, gone = false }: DeliveryFacts = {}) {
    super(message);
    this.retryAfterMs = retryAfterMs ?? null;
    this.gone = gone;
  }
}
