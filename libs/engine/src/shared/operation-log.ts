// Exports, and tests and replays of sinks, are recorded with it.
import type { EventPublisher, GuardrailsEvent } from '#contracts/events/guardrails-event.js';
import type { SettingsStore } from '#contracts/stores/settings.store.js';
import type { EventRouter } from './ports.js';

export interface OperationAuthor {
  readonly actorId: string;
  readonly requestId: string | null;
}

/** Records what an operator did, as a change record under a key that no setting has, and as an event. */
export class OperationLog {
  constructor(
    private readonly changes: SettingsStore,
    private readonly router: EventRouter,
    private readonly publisher: EventPublisher,
  ) {}

  /** Resolves after the commit. An operation that cannot be recorded does not run. */
  async record(
    key: string,
    after: Readonly<Record<string, unknown>>,
    event: GuardrailsEvent,
    { actorId, requestId }: OperationAuthor,
  ): Promise<void> {
    await this.changes.apply(() => ({
      overrides: new Map(),
      changes: [{ key, before: null, after }],
      actorId,
      requestId,
      occurredAt: event.occurredAt,
      outgoing: this.router.route(event),
    }));
    this.publisher.publish(event);
  }
}
