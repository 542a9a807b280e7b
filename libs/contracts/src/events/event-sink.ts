import type { EventName } from './events.js';
import type { StoredEvent } from './outbox.js';
import type { PromptStorage } from '../common/text.js';
import type { Severity } from '../screening/screening.js';

/** The stored text after hygiene. */
export interface EventContent {
  readonly prompt: string;
  readonly promptStorage: PromptStorage;
  readonly matchedText: string | null;
}

/** An event as a sink receives it. */
export interface DeliveredEvent extends StoredEvent {
  /** Failed deliveries before this one. */
  readonly attempts: number;
  /**
   * The panel page of the event; `null` without `events.panel_url`. For events about an approval, the page of the
   * approval.
   */
  readonly link: string | null;
  /** Only for sinks with `includesContent`; `null` where the text was erased. */
  readonly content: EventContent | null;
}

/** Delivers events to an external receiver: a SIEM, a chat, a pager. At least once; consumers deduplicate by id. */
export abstract class EventSink {
  /** Key of the stored deliveries: `^[a-z][a-z0-9_-]{0,39}$`, unique, and the same on every instance. */
  abstract readonly name: string;

  /** Concurrent deliveries, each of a different subject. */
  readonly concurrency: number = 4;

  /** A delivery that takes longer counts as failed. */
  readonly timeoutMs: number = 15_000;

  /** Whether events contain prompts and values of settings. */
  readonly includesContent: boolean = false;

  /**
   * Whether its receiver keeps what it receives, like a log. Such sinks receive the checkpoints of the audit, independent of their selection; other sinks do not.
   */
  readonly keepsLog: boolean = false;

  /** Events that are not selected are not queued for this sink. Default: all. */
  selects(_name: EventName, _severity: Severity): boolean {
    return true;
  }

  /**
   * Resolves when the event has arrived. A delivery that throws is retried with growing delays; a `DeliveryError`
   * may set the delay. Operators see the error message: do not put addresses or secrets in it.
   */
  abstract deliver(event: DeliveredEvent): Promise<void>;

  /** Releases resources. No delivery follows. */
  async close(): Promise<void> {}
}

/** Facts about a failed delivery from the answer of the receiver. */
export interface DeliveryFacts {
  /** Delay that the receiver requested. */
  readonly retryAfterMs?: number;
  /**
   * The receiver refuses further events. The sink is paused until a test delivery succeeds or the process restarts.
   */
  readonly gone?: boolean;
}

/** Why a delivery failed, in a message for operators. */
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

/** The panel page of an approval. Opening the page decides nothing. */
export function approvalLink(panelUrl: string | null, approvalId: number): string | null {
  return panelUrl === null ? null : `${panelUrl}/approvals/${approvalId}`;
}
