import assert from 'node:assert/strict';
import type { OutgoingEvent, QueuedEvent } from '../../../contracts/src/outbox.js';
import { decision, outgoingEvent } from './builders.js';
import type { BackendFixture } from './backend-fixture.js';

/** A lease or a delay that no case outlives. */
export const LONG = 3_600_000;

/** The sink of every case that does not say otherwise. */
export const SIEM = 'siem';

/** Queues one event for each subject, in this order, and answers their ids. */
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

/** Claims the next event, which has to be due. */
export async function claimOne(fixture: BackendFixture, leaseMs = LONG, sink = SIEM): Promise<QueuedEvent> {
  const [event] = await claim(fixture, 1, leaseMs, sink);
  assert.ok(event !== undefined, 'an event is due');
  return event;
}

/** What became of events that were claimed. */
export function settling(fixture: BackendFixture, sink = SIEM) {
  const { outbox } = fixture.backend;
  return {
    delivered: (...events: readonly QueuedEvent[]) => outbox.delivered(sink, events),
    retry: (event: QueuedEvent, delayMs: number, error = 'refused') =>
      outbox.retry(sink, event, delayMs, error),
    bury: (event: QueuedEvent, error = 'refused for three days') => outbox.bury(sink, event, error),
    release: (...events: readonly QueuedEvent[]) => outbox.release(sink, events),
  };
}

export function idsOf(events: readonly Pick<OutgoingEvent, 'id'>[]): string[] {
  return events.map((event) => event.id);
}
