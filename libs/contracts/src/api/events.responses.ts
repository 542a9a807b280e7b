import type { EventName } from '../events.js';
import type { Severity } from '../screening.js';

export interface EventData {
  /** The number under which the stream goes on: `Last-Event-ID`, and the range of a replay. */
  readonly sequence: number;
  readonly id: string;
  readonly name: EventName;
  readonly subject: string;
  readonly severity: Severity;
  readonly occurred_at: string;
  readonly audit_id: number | null;
  readonly payload: Readonly<Record<string, unknown>>;
}

/** The data of the event named `end`, which announces the planned end of a live stream. */
export interface StreamEndData {
  readonly stream: 'end';
  /** Reconnect with this number as `Last-Event-ID`. */
  readonly resume_after: number;
}

export interface EventSinksData {
  readonly sinks: readonly {
    readonly name: string;
    readonly state: 'closed' | 'open' | 'half_open' | 'resting' | 'unknown';
    readonly waiting: number;
    readonly retrying: number;
    readonly dead: number;
    readonly waiting_since: string | null;
    readonly lag_seconds: number;
    readonly delivered: number;
    readonly failed: number;
    readonly last_success_at: string | null;
    readonly last_failure_at: string | null;
    readonly last_error: string | null;
    readonly counted_since: string;
  }[];
  readonly as_of: string;
}

export interface EventReplayData {
  readonly sink: string;
  readonly queued: number;
  readonly next_from: number | null;
}

export interface EventTestData {
  readonly sink: string;
  readonly event_id: string;
  readonly delivered: boolean;
  readonly error: string | null;
  readonly duration_ms: number;
}
