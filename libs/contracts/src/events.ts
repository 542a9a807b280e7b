import type { ControlKey, ModeName, Outcome } from './control-mode.js';
import type { Origin } from './screening.js';
import type { SettingChange } from './settings/setting-change.js';

/** Content-free: ids, counts and lengths, never a text. */
export interface DecisionFacts {
  /** `null` where the evidence is not waited for (buffered write policy), or commits with a step of an approval. */
  readonly auditId: number | null;
  readonly control: ControlKey;
  readonly outcome: Outcome;
  readonly mode: Exclude<ModeName, 'off'>;
  readonly origin: Origin;
  readonly ruleId: string | null;
  readonly ruleIds: readonly string[];
  readonly errored: boolean;
  readonly tool: string | null;
  readonly principalId: string | null;
  readonly application: string | null;
  readonly requestId: string | null;
  readonly runId: string | null;
  readonly rulesetVersion: string;
  readonly promptLength: number;
  readonly durationUs: number;
  readonly occurredAt: Date;
  /** Set on events about a parked call. */
  readonly approvalId: number | null;
  /** Who decided; set on decided approvals only. */
  readonly actorId: string | null;
}

export const DECISION_EVENTS = [
  'guardrails.prompt.allowed',
  'guardrails.injection.observed',
  'guardrails.injection.blocked',
  'guardrails.tool.allowed',
  'guardrails.tool.rejected',
  'guardrails.tool.denied',
  'guardrails.output.clean',
  'guardrails.output.sanitized',
  'guardrails.tool.parked',
  'guardrails.tool.would_park',
  'guardrails.approval.decided',
  'guardrails.approval.executed',
  'guardrails.approval.failed',
  'guardrails.approval.outcome_unknown',
  'guardrails.approval.expired',
  'guardrails.approval.superseded',
] as const;

export type DecisionEventName = (typeof DECISION_EVENTS)[number];

export type EventName = DecisionEventName | typeof SettingsChanged.eventName;

/** Something that happened, told once it is committed. */
export abstract class GuardrailsEvent {
  /** Stable: external consumers de-duplicate by it. */
  abstract readonly id: string;
  abstract readonly name: EventName;
  abstract readonly occurredAt: Date;
}

/** A control decided. */
export class DecisionMade extends GuardrailsEvent {
  constructor(
    readonly id: string,
    readonly name: DecisionEventName,
    readonly facts: DecisionFacts,
  ) {
    super();
  }

  get occurredAt(): Date {
    return this.facts.occurredAt;
  }
}

/** Settings took another effect: one for each PUT that changed something. */
export class SettingsChanged extends GuardrailsEvent {
  static readonly eventName = 'guardrails.settings.changed';
  readonly name = SettingsChanged.eventName;

  constructor(
    readonly id: string,
    readonly actorId: string,
    readonly revision: number,
    readonly changes: readonly SettingChange[],
    readonly requestId: string | null,
    readonly occurredAt: Date,
  ) {
    super();
  }
}

/** In-process listeners: complete, told at once. A listener that throws must harm nothing. */
export abstract class EventPublisher {
  abstract publish(event: GuardrailsEvent): void;
}
