import assert from 'node:assert/strict';
import type { QueuedEvent } from '#contracts/events/outbox.js';
import { decision, outgoingEvent } from './builders.js';
import { idsOf, type BackendFixture } from './backend-fixture.js';

/** A lease or delay longer than any test case. */
export const LONG = 3_600_000;

/** The default sink of the test cases. */
export const SIEM = 'siem';

/** What one sink does with the outbox. */
export function sinkOf({ audit, outbox }: BackendFixture, sink = SIEM) {
  const claim = (limit = 100, leaseMs = LONG) => outbox.claim(sink, limit, leaseMs);

  /** Queues one event per subject, in this order, and returns their ids. */
  const queue = (...subjects: readonly string[]) => queueFor([sink], ...subjects);

  async function queueFor(sinks: readonly string[], ...subjects: readonly string[]): Promise<string[]> {
    const events = subjects.map((subject) => outgoingEvent({ subject, sinks }));
    for (const event of events) await audit.append(decision({ outgoing: [event] }));
    return idsOf(events);
  }

  return {
    claim,
    queue,
    queueFor,

    /** Claims the next event. Fails if none is due. */
    claimOne: async (leaseMs = LONG): Promise<QueuedEvent> => {
      const [event] = await claim(1, leaseMs);
      assert.ok(event !== undefined, 'an event is due');
      return event;
    },

    /** Queues one event per subject, claims them all, and returns them in this order. */
    queueAndClaim: async <const Subjects extends readonly string[]>(...subjects: Subjects) => {
      const queued = await queue(...subjects);
      const claimed = await claim();
      assert.deepEqual(idsOf(claimed), queued);
      return claimed as unknown as { readonly [Place in keyof Subjects]: QueuedEvent };
    },

    delivered: (...events: readonly QueuedEvent[]) => outbox.delivered(sink, events),
    retry: (event: QueuedEvent, delayMs: number, error = 'refused') =>
      outbox.retry(sink, event, delayMs, error),
    markDead: (event: QueuedEvent, error = 'refused for three days') => outbox.markDead(sink, event, error),
    release: (...events: readonly QueuedEvent[]) => outbox.release(sink, events),
  };
}
