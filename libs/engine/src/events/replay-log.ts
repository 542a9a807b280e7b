import { randomUUID } from 'node:crypto';
import type { Clock } from '../../../contracts/src/clock.js';
import { EventsReplayed, type EventPublisher, type ReplayScope } from '../../../contracts/src/events.js';
import type { Outlet } from '../../../contracts/src/outbox.js';
import type { SettingsStore } from '../../../contracts/src/settings/settings.store.js';
import { replayPayload } from './event-payload.js';

export interface ReplayAuthor {
  readonly actorId: string;
  readonly requestId: string | null;
}

/** Where a replay stands in the log of changes, among what else operators did. No setting has this name. */
export const REPLAY_KEY = 'events.replay';

/** Who had what told once more: in the log of changes, which nobody can change, and as an event. */
export class ReplayLog {
  constructor(
    private readonly changes: SettingsStore,
    private readonly outlet: Outlet,
    private readonly publisher: EventPublisher,
    private readonly clock: Clock,
  ) {}

  /** Resolves when it is committed. What cannot be recorded must not be done. */
  async record(scope: ReplayScope, { actorId, requestId }: ReplayAuthor): Promise<void> {
    const occurredAt = this.clock.now();
    const event = new EventsReplayed(randomUUID(), scope, actorId, requestId, occurredAt);
    const { actor_id: _actor, request_id: _request, ...after } = replayPayload(event);
    await this.changes.apply(() => ({
      overrides: new Map(),
      changes: [{ key: REPLAY_KEY, before: null, after }],
      actorId,
      requestId,
      occurredAt,
      outgoing: this.outlet.of(event),
    }));
    this.publisher.publish(event);
  }
}
