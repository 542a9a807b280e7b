import { randomUUID } from 'node:crypto';
import { GuardrailsError } from '#contracts/common/errors.js';
import type { EventPublisher } from '#contracts/events/guardrails-event.js';
import { HoldReleased, HoldSet } from '#contracts/events/operation-events.js';
import type { Hold, HoldScope } from '#contracts/retention/holds.js';
import type { HoldStore } from '#contracts/stores/retention.store.js';
import type { EventRouter } from '../shared/ports.js';

/** Sets and releases holds. Each change commits with its event, and listeners are called afterwards. */
export class Holds {
  constructor(
    private readonly store: HoldStore,
    private readonly router: EventRouter,
    private readonly publisher: EventPublisher,
  ) {}

  async set(scope: HoldScope, reason: string, actorId: string): Promise<Hold> {
    const id = randomUUID();
    const event = (hold: Hold) => new HoldSet(id, hold, hold.setAt);
    const hold = await this.store.set({ scope, reason, setBy: actorId }, (stored) =>
      this.router.route(event(stored)),
    );
    this.publisher.publish(event(hold));
    return hold;
  }

  async release(holdId: number, actorId: string): Promise<Hold> {
    const id = randomUUID();
    const event = (hold: Hold) => new HoldReleased(id, hold, hold.releasedAt ?? hold.setAt);
    const released = await this.store.release(holdId, actorId, (stored) => this.router.route(event(stored)));
    if (released === null)
      throw new GuardrailsError('not_found', 'No hold has this id. Take an id from GET /holds.');
    if (released.kind === 'already_released') throw alreadyReleased(released.hold);
    this.publisher.publish(event(released.hold));
    return released.hold;
  }
}

function alreadyReleased({ releasedBy, releasedAt }: Hold) {
  return new GuardrailsError('already_released', 'This hold was released before. Nothing was changed.', {
    details: { released_by: releasedBy, released_at: releasedAt?.toISOString() ?? null },
  });
}
