import { DECISION_EVENTS } from './decision-events.js';
import {
  AuditCheckpointed,
  AuditExported,
  EventsReplayed,
  HoldReleased,
  HoldSet,
  RetentionApplied,
  SettingsChanged,
  SinkTested,
  StoreUnavailable,
} from './operation-events.js';
import type { Severity } from './screening.js';

/** The list of all events: those published in the process and those that sinks can select. */
export const EVENTS = [
  ...DECISION_EVENTS,
  SettingsChanged,
  RetentionApplied,
  HoldSet,
  HoldReleased,
  StoreUnavailable,
  SinkTested,
  EventsReplayed,
  AuditExported,
  AuditCheckpointed,
] as const;

/** The name of an event, such as `guardrails.injection.blocked`. */
export type EventName = (typeof EVENTS)[number]['eventName'];

export const EVENT_NAMES: readonly EventName[] = EVENTS.map(({ eventName }) => eventName);

const SEVERITIES = new Map<string, Severity>(EVENTS.map(({ eventName, severity }) => [eventName, severity]));

/** The severity of every event of this name. */
export function severityOfEvent(name: string): Severity {
  return SEVERITIES.get(name) ?? 'medium';
}

export function isEventName(name: string): name is EventName {
  return (EVENT_NAMES as readonly string[]).includes(name);
}
