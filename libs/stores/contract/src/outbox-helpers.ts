import assert from 'node:assert/strict';
import type { OutgoingEvent, QueuedEvent } from '#contracts/events/outbox.js';
import { decision, outgoingEvent } from './builders.js';
import type { BackendFixture } from './backend-fixture.js';

/** A lease or delay longer than any test case. */
export const LONG = 3_600_000;

/** The default sink of the test cases. */
export const SIEM = 'siem';

/** Queues one event per subject, in this order, and returns their ids. */
export function queue(fixture: BackendFixture, ...subjects: readonly string[]): Promise<string[]> {
  return queueFor(fixture, [SIEM], ...subjects);
}

export async function queueFor(
  fixture: BackendFixture,
  sinks: readonly string[],
  ...subjects: readonly string[]
): Promise<string[]> {
  const events = subjects.map((subject) => outgoingEvent({ subject, sinks }));
  for (const event of events) await fixture.backend.audit.append(decision({ outgoing: [event] }));
  return idsOf(events);
}

export function claim(
  fixture: BackendFixture,
  limit = 100,
  leaseMs = LONG,
  sink = SIEM,
): Promise<readonly QueuedEvent[]> {
  return fixture.backend.outbox.claim(sink, limit, leaseMs);
}

/** Claims the next event. Fails if none is due. */
export async function claimOne(fixture: BackendFixture, leaseMs = LONG, sink = SIEM): Promise<QueuedEvent> {
  const [event] = await claim(fixture, 1, leaseMs, sink);
  assert.ok(event !== undefined, 'an event is due');
  return event;
}

/** Reports the result of claimed events. */
export function settling(fixture: BackendFixture, sink = SIEM) {
  const { outbox } = fixture.backend;
  return {
    delivered: (...events: readonly QueuedEvent[]) => outbox.delivered(sink, events),
    retry: (event: QueuedEvent, delayMs: number, error = 'refused') =>
      outbox.retry(sink, event, delayMs, error),
    markDead: (event: QueuedEvent, error = 'refused for three days') => outbox.markDead(sink, event, error),
    release: (...events: readonly QueuedEvent[]) => outbox.release(sink, events),
  };
}

export function idsOf(events: readonly Pick<OutgoingEvent, 'id'>[]): string[] {
  return events.map((event) => event.id);
}
