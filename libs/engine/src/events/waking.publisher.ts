import { EventPublisher } from '../../../contracts/src/events.js';
import type { GuardrailsEvent } from '../../../contracts/src/guardrails-event.js';

/** Events are published after their commit: the moment at which the relay finds them in the outbox. */
export class WakingPublisher extends EventPublisher {
  constructor(
    private readonly listeners: EventPublisher,
    private readonly onPublished: (event: GuardrailsEvent) => void,
  ) {
    super();
  }

  override publish(event: GuardrailsEvent): void {
    this.onPublished(event);
    this.listeners.publish(event);
  }
}
