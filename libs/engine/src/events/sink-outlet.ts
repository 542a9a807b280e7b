import {
  DecisionMade,
  Outlet,
  SettingsChanged,
  type EventSink,
  type GuardrailsEvent,
  type OutgoingEvent,
} from '../../../contracts/src/events.js';
import type { Severity } from '../../../contracts/src/screening.js';

export class SinkOutlet extends Outlet {
  constructor(private readonly sinks: readonly EventSink[]) {
    super();
  }

  override of(event: GuardrailsEvent): readonly OutgoingEvent[] {
    const severity = severityOf(event);
    if (!this.sinks.some((sink) => isSelected(sink, event, severity))) return [];
    return [
      {
        id: event.id,
        name: event.name,
        subject: subjectOf(event),
        severity,
        occurredAt: event.occurredAt,
        payload: JSON.parse(JSON.stringify(payloadOf(event))) as Record<string, unknown>,
      },
    ];
  }
}

/** A filter that throws must neither lose an event nor fail the control: the relay meets it again, and says so. */
function isSelected(sink: EventSink, { name }: GuardrailsEvent, severity: Severity): boolean {
  try {
    return sink.selects(name, severity);
  } catch {
    return true;
  }
}

function severityOf(event: GuardrailsEvent): Severity {
  if (event instanceof DecisionMade) {
    if (event.facts.outcome === 'blocked') return 'high';
    return event.facts.outcome === 'observed' ? 'medium' : 'low';
  }
  return 'medium';
}

/** Events about one approval, one run or one principal stay in order; the settings are one subject. */
function subjectOf(event: GuardrailsEvent): string {
  if (!(event instanceof DecisionMade)) return 'settings';
  const { approvalId, runId, principalId } = event.facts;
  if (approvalId !== null) return `approval:${approvalId}`;
  if (runId !== null) return `run:${runId}`;
  return principalId === null ? `event:${event.id}` : `principal:${principalId}`;
}

function payloadOf(event: GuardrailsEvent): object {
  if (event instanceof DecisionMade) {
    // The store knows the evidence's id better than we do: it hands it over beside the payload.
    const { auditId: _unknownYet, ...facts } = event.facts;
    return facts;
  }
  if (event instanceof SettingsChanged) {
    const { actorId, revision, changes, requestId } = event;
    return { actorId, revision, changes, requestId };
  }
  return {};
}
