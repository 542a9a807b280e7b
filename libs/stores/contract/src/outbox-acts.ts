import assert from 'node:assert/strict';
import type { OutgoingEvent, QueuedEvent } from '../../../contracts/src/events.js';
import { decision, outgoingEvent } from './builders.js';
import type { Stage } from './harness.js';

/** A lease or a delay that no case outlives. */
export const LONG = 3_600_000;

/** Queues one event for each subject, in this order, and answers their ids. */
export async function queue(stage: Stage, ...subjects: readonly string[]): Promise<string[]> {
  const events = subjects.map((subject) => outgoingEvent({ subject }));
  for (const event of events) await stage.backend.audit.append(decision({ outgoing: [event] }));
  return idsOf(events);
}

export function claim(stage: Stage, limit = 100, leaseMs = LONG): Promise<readonly QueuedEvent[]> {
  return stage.backend.outbox.claim(limit, leaseMs);
}

/** Claims the next event, which has to be due. */
export async function claimOne(stage: Stage, leaseMs = LONG): Promise<QueuedEvent> {
  const [event] = await claim(stage, 1, leaseMs);
  assert.ok(event !== undefined, 'an event is due');
  return event;
}

export function idsOf(events: readonly OutgoingEvent[]): string[] {
  return events.map((event) => event.id);
}
