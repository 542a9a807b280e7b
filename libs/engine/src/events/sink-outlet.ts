import { createHash } from 'node:crypto';
import type { EventSink } from '../../../contracts/src/event-sink.js';
import { DecisionMade, SettingsChanged, type GuardrailsEvent } from '../../../contracts/src/events.js';
import { Outlet, type OutgoingEvent } from '../../../contracts/src/outbox.js';
import type { Severity } from '../../../contracts/src/screening.js';

const LONGEST_ID = 200;

export class SinkOutlet extends Outlet {
  constructor(private readonly sinks: readonly EventSink[]) {
    super();
  }

  override of(event: GuardrailsEvent): readonly OutgoingEvent[] {
    const severity = severityOf(event);
    const sinks = this.sinks.filter((sink) => isSelected(sink, event, severity)).map(({ name }) => name);
    if (sinks.length === 0) return [];
    return [
      {
        id: event.id,
        name: event.name,
        subject: subjectOf(event),
        severity,
        occurredAt: event.occurredAt,
        payload: JSON.parse(JSON.stringify(payloadOf(event))) as Record<string, unknown>,
        sinks,
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
  if (runId !== null) return `run:${bounded(runId)}`;
  return principalId === null ? `event:${event.id}` : `principal:${bounded(principalId)}`;
}

/** Ids are the host's, of any length; a subject is a key of the outbox. */
function bounded(id: string): string {
  return id.length <= LONGEST_ID ? id : createHash('sha256').update(id).digest('hex');
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
