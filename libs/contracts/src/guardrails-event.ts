/** Something that happened, told once it is committed. */
export abstract class GuardrailsEvent {
  /** Stable: external consumers de-duplicate by it. */
  abstract readonly id: string;
  /** `guardrails.<what>.<happened>`: what listeners ask for. */
  abstract readonly name: string;
  abstract readonly occurredAt: Date;
}
