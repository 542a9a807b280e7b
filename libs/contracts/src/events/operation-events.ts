import type { Checkpoint } from './checkpoints.js';
import { GuardrailsEvent } from './guardrails-event.js';
import type { Freeze } from '../freeze/freezes.api.js';
import type { Hold } from '../retention/holds.js';
import type { RetentionRun } from '../retention/retention.js';
import type { Severity } from '../screening/screening.js';
import type { SettingChange } from '../settings/settings.js';

/** Builds the base class of one event. */
function operationEvent<const Name extends string>(eventName: Name, severity: Severity, description: string) {
  abstract class OperationEvent extends GuardrailsEvent {
    static readonly eventName = eventName;
    static readonly severity = severity;
    static readonly description = description;
    override readonly name = eventName;
  }
  return OperationEvent;
}

export class SettingsChanged extends operationEvent(
  'guardrails.settings.changed',
  'medium',
  'Settings changed; one event per PUT with an effective change.',
) {
  constructor(
    override readonly id: string,
    readonly actorId: string,
    readonly revision: number,
    readonly changes: readonly SettingChange[],
    readonly requestId: string | null,
    override readonly occurredAt: Date,
  ) {
    super();
  }
}

export class FreezeChanged extends operationEvent(
  'guardrails.freeze.changed',
  'critical',
  'An operator froze tools, or lifted a freeze. Every sink receives it, whatever it selects.',
) {
  constructor(
    override readonly id: string,
    readonly freeze: Freeze,
    override readonly occurredAt: Date,
  ) {
    super();
  }
}

export class RetentionApplied extends operationEvent(
  'guardrails.retention.applied',
  'low',
  'A retention run anonymized or removed records.',
) {
  constructor(
    override readonly id: string,
    readonly run: RetentionRun,
    override readonly occurredAt: Date,
  ) {
    super();
  }
}

export class HoldSet extends operationEvent(
  'guardrails.hold.set',
  'medium',
  'An operator set a hold: retention skips the covered records.',
) {
  constructor(
    override readonly id: string,
    readonly hold: Hold,
    override readonly occurredAt: Date,
  ) {
    super();
  }
}

export class HoldReleased extends operationEvent(
  'guardrails.hold.released',
  'medium',
  'An operator released a hold: retention applies to its records again.',
) {
  constructor(
    override readonly id: string,
    readonly hold: Hold,
    override readonly occurredAt: Date,
  ) {
    super();
  }
}

export class StoreUnavailable extends operationEvent(
  'guardrails.store.unavailable',
  'critical',
  'The store is unavailable. Sinks receive the event when it is available again, with the duration.',
) {
  constructor(
    override readonly id: string,
    override readonly occurredAt: Date,
    /** `null` during the outage. */
    readonly until: Date | null,
  ) {
    super();
  }
}

export class SinkTested extends operationEvent(
  'guardrails.sink.tested',
  'low',
  'An operator tested a sink: delivered to that sink only.',
) {
  constructor(
    override readonly id: string,
    readonly sink: string,
    readonly actorId: string,
    override readonly occurredAt: Date,
  ) {
    super();
  }
}

/** Scope of a replay: dead letters, or a range of sequence numbers. For one dead letter, both ends are its number. */
export interface ReplayScope {
  readonly sink: string;
  readonly deadLetters: boolean;
  readonly from: number | null;
  readonly to: number | null;
}

export class EventsReplayed extends operationEvent(
  'guardrails.events.replayed',
  'medium',
  'An operator replayed dead letters, or a range of events, to a sink.',
) {
  constructor(
    override readonly id: string,
    readonly scope: ReplayScope,
    readonly actorId: string,
    readonly requestId: string | null,
    override readonly occurredAt: Date,
  ) {
    super();
  }
}

/** What an export of the audit covers, by the names of the API. */
export interface ExportFacts {
  readonly format: string;
  readonly withContent: boolean;
  readonly after: number;
  readonly limit: number | null;
  /** Without the values of personal data and contents: `principal_id` and `q` are `true` where they are set. */
  readonly filters: Readonly<Record<string, unknown>>;
}

export class AuditExported extends operationEvent(
  'guardrails.audit.exported',
  'medium',
  'An operator exported audit entries; recorded before the first one is sent.',
) {
  constructor(
    override readonly id: string,
    readonly facts: ExportFacts,
    readonly principalId: string | null,
    readonly actorId: string,
    readonly requestId: string | null,
    override readonly occurredAt: Date,
  ) {
    super();
  }
}

export class AuditCheckpointed extends operationEvent(
  'guardrails.audit.checkpointed',
  'low',
  'A checkpoint of the audit was signed. All sinks that keep a log receive it, and no others.',
) {
  constructor(
    override readonly id: string,
    readonly checkpoint: Checkpoint,
    override readonly occurredAt: Date,
  ) {
    super();
  }
}
