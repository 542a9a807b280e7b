import { DECISION_EVENTS } from './decision-events.js';
import { GuardrailsEvent } from './guardrails-event.js';
import type { RetentionRun } from './retention.js';
import type { Severity } from './screening.js';
import type { SettingChange } from './settings/setting-change.js';

/** Settings took another effect: one for each PUT that changed something. */
export class SettingsChanged extends GuardrailsEvent {
  static readonly eventName = 'guardrails.settings.changed';
  static readonly severity: Severity = 'medium';
  static readonly tells = 'Settings took another effect: one for each PUT that changed something.';
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

/** Something was erased or deleted, and all that was to be: told by an instance, also of a run of the command line. */
export class RetentionApplied extends GuardrailsEvent {
  static readonly eventName = 'guardrails.retention.applied';
  static readonly severity: Severity = 'low';
  static readonly tells = 'Records were anonymised or removed, in the name of somebody.';
  override readonly name = RetentionApplied.eventName;

  constructor(
    override readonly id: string,
    readonly run: RetentionRun,
    override readonly occurredAt: Date,
  ) {
    super();
  }
}

/**
 * The store does not answer: calls whose record is waited for are refused. Told here when it is first noticed, and
 * outside the process when the store is back, with the same id.
 */
export class StoreUnavailable extends GuardrailsEvent {
  static readonly eventName = 'guardrails.store.unavailable';
  static readonly severity: Severity = 'critical';
  static readonly tells =
    'The store does not answer. External consumers hear of it when it is back, with the time it took.';
  override readonly name = StoreUnavailable.eventName;

  constructor(
    override readonly id: string,
    override readonly occurredAt: Date,
    /** `null` while it lasts. */
    readonly until: Date | null,
  ) {
    super();
  }
}

/** Somebody asked whether a sink can be reached. Goes to that sink alone. */
export class SinkTested extends GuardrailsEvent {
  static readonly eventName = 'guardrails.sink.tested';
  static readonly severity: Severity = 'low';
  static readonly tells = 'Somebody asked whether a sink can be reached: goes to that sink alone.';
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

/** What one replay was asked for: dead letters, or a range of sequence numbers. */
export interface ReplayScope {
  readonly sink: string;
  readonly deadLetters: boolean;
  readonly from: number | null;
  readonly to: number | null;
}

/** Somebody had a sink told once more what it may know already. Recorded before anything of it is queued. */
export class EventsReplayed extends GuardrailsEvent {
  static readonly eventName = 'guardrails.events.replayed';
  static readonly severity: Severity = 'medium';
  static readonly tells = 'Somebody had a sink told dead letters, or a range of events, once more.';
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

/** THE list of events: what is emitted in the process, and what sinks may select. */
export const EVENTS = [
  ...DECISION_EVENTS,
  SettingsChanged,
  RetentionApplied,
  StoreUnavailable,
  SinkTested,
  EventsReplayed,
] as const;

export type EventName = (typeof EVENTS)[number]['eventName'];

export const EVENT_NAMES: readonly EventName[] = EVENTS.map(({ eventName }) => eventName);

const SEVERITIES = new Map<string, Severity>(EVENTS.map(({ eventName, severity }) => [eventName, severity]));

/** How much it matters to whoever watches: the same for every event of a name. */
export function severityOfEvent(name: string): Severity {
  return SEVERITIES.get(name) ?? 'medium';
}

export function isEventName(name: string): name is EventName {
  return (EVENT_NAMES as readonly string[]).includes(name);
}

/** In-process listeners: complete, told at once. A listener that throws must harm nothing. */
export abstract class EventPublisher {
  abstract publish(event: GuardrailsEvent): void;
}
