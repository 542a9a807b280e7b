import type { EventName } from './events.js';
import type { QueuedEvent } from './outbox.js';
import type { Severity } from './screening.js';

/** Carries events out of the process: a SIEM, a chat, a pager. At least once, so consumers de-duplicate by id. */
export abstract class EventSink {
  /** What its deliveries are kept under: `^[a-z][a-z0-9_-]{0,39}$`, and the same on every instance. */
  abstract readonly name: string;

  /** What it does not select never enters the outbox on its account. Default: everything. */
  selects(_name: EventName, _severity: Severity): boolean {
    return true;
  }

  abstract deliver(event: QueuedEvent): Promise<void>;
}
