// The audit trail and the refresh of settings tell it whether the store answers.
import { randomUUID } from 'node:crypto';
import type { Clock } from '#contracts/common/clock.js';
import { isStoreUnavailable } from '#contracts/common/errors.js';
import type { EventPublisher } from '#contracts/events/guardrails-event.js';
import { StoreUnavailable } from '#contracts/events/operation-events.js';
import type { OutboxStore } from '#contracts/events/outbox.js';
import type { EventRouter } from './ports.js';

/**
 * Publishes one event when the store becomes unavailable, and one through the outbox when it is available again.
 */
export class StoreOutage {
  private current: StoreUnavailable | null = null;

  constructor(
    private readonly outbox: OutboxStore,
    private readonly router: EventRouter,
    private readonly publisher: EventPublisher,
    private readonly clock: Clock,
  ) {}

  failed(error: unknown): void {
    if (!isStoreUnavailable(error) || this.current !== null) return;
    this.current = new StoreUnavailable(randomUUID(), this.clock.now(), null);
    this.publisher.publish(this.current);
  }

  async answered(): Promise<void> {
    if (this.current === null) return;
    const { id, occurredAt } = this.current;
    const over = new StoreUnavailable(id, occurredAt, this.clock.now());
    await this.outbox.add(this.router.route(over));
    this.current = null;
  }
}
