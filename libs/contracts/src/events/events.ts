import { DECISION_EVENTS } from './decision-events.js';
import * as operations from './operation-events.js';
import type { Severity } from '../screening/screening.js';

/** The list of all events: those published in the process and those that sinks can select. */
export const EVENTS = [
  ...DECISION_EVENTS,
  operations.SettingsChanged,
  operations.FreezeChanged,
  operations.RetentionApplied,
  operations.HoldSet,
  operations.HoldReleased,
  operations.StoreUnavailable,
  operations.SinkTested,
  operations.EventsReplayed,
  operations.AuditExported,
  operations.AuditCheckpointed,
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
