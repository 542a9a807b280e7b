/** An event, which is published after its commit. */
export abstract class GuardrailsEvent {
  /** Stable: external consumers deduplicate by it. */
  abstract readonly id: string;
  /** `guardrails.<subject>.<past participle>`; listeners subscribe by it. */
  abstract readonly name: string;
  abstract readonly occurredAt: Date;
}

/** In-process listeners. They receive every event, synchronously. */
export abstract class EventPublisher {
  abstract publish(event: GuardrailsEvent): void;
}
