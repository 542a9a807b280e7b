import type { Hold, HoldRelease, NewHold } from '../retention/holds.js';
import type { OutgoingEvent } from '../events/outbox.js';
import type { Page, PageRequest } from '../common/page.js';

/**
 * Holds stop retention: neither a command nor the schedule erases or deletes records under an active hold. A hold is
 * never deleted, and can be released once.
 */
export abstract class HoldStore {
  /**
   * Commits the hold with its outgoing events. When it resolves, no later batch of a retention run changes the
   * records under the hold. It waits for a batch that is being committed.
   */
  abstract set(hold: NewHold, outgoing: (hold: Hold) => readonly OutgoingEvent[]): Promise<Hold>;

  /** `null`: there is no such hold. */
  abstract release(
    id: number,
    releasedBy: string,
    outgoing: (hold: Hold) => readonly OutgoingEvent[],
  ): Promise<HoldRelease | null>;

  /** Newest first. */
  abstract list(filter: { readonly active?: boolean }, page: PageRequest): Promise<Page<Hold>>;
}
