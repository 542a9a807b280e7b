import type { QueuedEvent } from '../../../contracts/src/outbox.js';

/** Events of one subject out of one claim, in their order. */
export interface Chain {
  readonly events: readonly QueuedEvent[];
  readonly leasedUntil: number;
}

export function chainsOf(events: readonly QueuedEvent[], leasedUntil: number): readonly Chain[] {
  const subjects = new Map<string, QueuedEvent[]>();
  for (const event of events) {
    const ofSubject = subjects.get(event.subject);
    if (ofSubject === undefined) subjects.set(event.subject, [event]);
    else ofSubject.push(event);
  }
  return Array.from(subjects.values(), (ofSubject) => ({ events: ofSubject, leasedUntil }));
}
