import assert from 'node:assert/strict';
import type { OutgoingEvent, QueuedEvent } from '../../../contracts/src/outbox.js';
import { decision, outgoingEvent } from './builders.js';
import type { Stage } from './harness.js';

/** A lease or a delay that no case outlives. */
export const LONG = 3_600_000;

/** The sink of every case that does not say otherwise. */
export const SIEM = 'siem';

/** Queues one event for each subject, in this order, and answers their ids. */
export function queue(stage: Stage, ...subjects: readonly string[]): Promise<string[]> {
  return queueFor(stage, [SIEM], ...subjects);
}

export async function queueFor(
  stage: Stage,
  sinks: readonly string[],
  ...subjects: readonly string[]
): Promise<string[]> {
  const events = subjects.map((subject) => outgoingEvent({ subject, sinks }));
  for (const event of events) await stage.backend.audit.append(decision({ outgoing: [event] }));
  return idsOf(events);
}

export function claim(
  stage: Stage,
  limit = 100,
  leaseMs = LONG,
  sink = SIEM,
): Promise<readonly QueuedEvent[]> {
  return stage.backend.outbox.claim(sink, limit, leaseMs);
}

/** Claims the next event, which has to be due. */
export async function claimOne(stage: Stage, leaseMs = LONG, sink = SIEM): Promise<QueuedEvent> {
  const [event] = await claim(stage, 1, leaseMs, sink);
  assert.ok(event !== undefined, 'an event is due');
  return event;
}

/** What became of events that were claimed. */
export function settling(stage: Stage, sink = SIEM) {
  const { outbox } = stage.backend;
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
