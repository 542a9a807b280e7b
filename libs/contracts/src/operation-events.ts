import type { Checkpoint } from './checkpoints.js';
import { GuardrailsEvent } from './guardrails-event.js';
import type { Hold } from './holds.js';
import type { RetentionRun } from './retention.js';
import type { Severity } from './screening.js';
import type { SettingChange } from './settings/settings.js';

/** Settings changed; one event per PUT with an effective change. */
export class SettingsChanged extends GuardrailsEvent {
  static readonly eventName = 'guardrails.settings.changed';
  static readonly severity: Severity = 'medium';
  static readonly description = 'Settings changed; one event per PUT with an effective change.';
  override readonly name = SettingsChanged.eventName;

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

/** A retention run finished. Published by an instance, also for runs of the command line. */
export class RetentionApplied extends GuardrailsEvent {
  static readonly eventName = 'guardrails.retention.applied';
  static readonly severity: Severity = 'low';
  static readonly description = 'A retention run anonymized or removed records.';
  override readonly name = RetentionApplied.eventName;

  constructor(
    override readonly id: string,
    readonly run: RetentionRun,
    override readonly occurredAt: Date,
  ) {
    super();
  }
}

/** An operator set a hold: retention skips the covered records. */
export class HoldSet extends GuardrailsEvent {
  static readonly eventName = 'guardrails.hold.set';
  static readonly severity: Severity = 'medium';
  static readonly description = 'An operator set a hold: retention skips the covered records.';
  override readonly name = HoldSet.eventName;

  constructor(
    override readonly id: string,
    readonly hold: Hold,
    override readonly occurredAt: Date,
  ) {
    super();
  }
}

/** An operator released a hold: retention applies to its records again. */
export class HoldReleased extends GuardrailsEvent {
  static readonly eventName = 'guardrails.hold.released';
  static readonly severity: Severity = 'medium';
  static readonly description = 'An operator released a hold: retention applies to its records again.';
  override readonly name = HoldReleased.eventName;

  constructor(
    override readonly id: string,
    readonly hold: Hold,
    override readonly occurredAt: Date,
  ) {
    super();
  }
}

/**
 * The store is unavailable; calls that must be recorded are refused. Published in the process when it is first
 * noticed, and to sinks when the store is available again, with the same id.
 */
export class StoreUnavailable extends GuardrailsEvent {
  static readonly eventName = 'guardrails.store.unavailable';
  static readonly severity: Severity = 'critical';
  static readonly description =
    'The store is unavailable. Sinks receive the event when it is available again, with the duration.';
  override readonly name = StoreUnavailable.eventName;

  constructor(
    override readonly id: string,
    override readonly occurredAt: Date,
    /** `null` during the outage. */
    readonly until: Date | null,
  ) {
    super();
  }
}

/** An operator tested a sink. Delivered to that sink only. */
export class SinkTested extends GuardrailsEvent {
  static readonly eventName = 'guardrails.sink.tested';
  static readonly severity: Severity = 'low';
  static readonly description = 'An operator tested a sink: delivered to that sink only.';
  override readonly name = SinkTested.eventName;

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

/** An operator replayed events to a sink. Recorded before any event is queued. */
export class EventsReplayed extends GuardrailsEvent {
  static readonly eventName = 'guardrails.events.replayed';
  static readonly severity: Severity = 'medium';
  static readonly description = 'An operator replayed dead letters, or a range of events, to a sink.';
  override readonly name = EventsReplayed.eventName;

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

/** An operator exported audit entries. Recorded before the first entry is sent. */
export class AuditExported extends GuardrailsEvent {
  static readonly eventName = 'guardrails.audit.exported';
  static readonly severity: Severity = 'medium';
  static readonly description = 'An operator exported audit entries; recorded before the first one is sent.';
  override readonly name = AuditExported.eventName;

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

/** A checkpoint of the audit was signed. All sinks that keep a log receive it. */
export class AuditCheckpointed extends GuardrailsEvent {
  static readonly eventName = 'guardrails.audit.checkpointed';
  static readonly severity: Severity = 'low';
  static readonly description =
    'A checkpoint of the audit was signed. All sinks that keep a log receive it, and no others.';
  override readonly name = AuditCheckpointed.eventName;

  constructor(
    override readonly id: string,
    readonly checkpoint: Checkpoint,
    override readonly occurredAt: Date,
  ) {
    super();
  }
}
