import type { EventSink } from '../../../contracts/src/event-sink.js';
import { isEventName, severityOfEvent, type EventName } from '../../../contracts/src/events.js';
import type { GuardrailsEvent } from '../../../contracts/src/guardrails-event.js';
import { Outlet, type OutgoingEvent } from '../../../contracts/src/outbox.js';
import { payloadOf } from './event-payload.js';
import { subjectOf } from './event-subject.js';

/** What is kept for the live stream even where no sink selects it. */
export type StreamPolicy = 'off' | 'security' | 'all';

interface Choice {
  readonly sinks: readonly string[];
  readonly kept: boolean;
}

/** Asks every sink about a name once: what it answers may not change while it runs. */
export class SinkOutlet extends Outlet {
  private readonly choices = new Map<string, Choice>();

  constructor(
    private readonly sinks: readonly EventSink[],
    private readonly stream: StreamPolicy,
  ) {
    super();
  }

  override of(event: GuardrailsEvent): readonly OutgoingEvent[] {
    const { name } = event;
    if (!isEventName(name)) return [];
    const { sinks, kept } = this.choiceOf(name);
    if (!kept) return [];
    return [
      {
        id: event.id,
        name,
        subject: subjectOf(event),
        severity: severityOfEvent(name),
        occurredAt: event.occurredAt,
        payload: payloadOf(event),
        sinks,
      },
    ];
  }

  /** Whether anything is delivered of it. */
  selects({ name }: GuardrailsEvent): boolean {
    return isEventName(name) && this.choiceOf(name).sinks.length > 0;
  }

  /** Whether the live stream shows it. */
  keeps({ name }: GuardrailsEvent): boolean {
    return isEventName(name) && this.choiceOf(name).kept;
  }

  private choiceOf(name: EventName): Choice {
    const known = this.choices.get(name);
    if (known !== undefined) return known;
    const sinks = this.sinks.filter((sink) => isSelected(sink, name)).map((sink) => sink.name);
    const choice = { sinks, kept: sinks.length > 0 || this.streams(name) };
    this.choices.set(name, choice);
    return choice;
  }

  private streams(name: EventName): boolean {
    return this.stream === 'all' || (this.stream === 'security' && severityOfEvent(name) !== 'low');
  }
}

/** A filter that throws must neither lose an event nor fail the control: it is told too much rather than too little. */
function isSelected(sink: EventSink, name: EventName): boolean {
  try {
    return sink.selects(name, severityOfEvent(name));
  } catch {
    return true;
  }
}
