// An event as a CloudEvent, as a sentence and as facts. All sinks use it.
import type { DeliveredEvent } from '#contracts/events/event-sink.js';
import { EVENTS } from '#contracts/events/events.js';

/** Default `source` of CloudEvents. */
export const SOURCE = '/nest-guardrails';

/** CloudEvents 1.0. */
interface CloudEvent {
  readonly specversion: '1.0';
  readonly id: string;
  readonly source: string;
  readonly type: string;
  readonly subject: string;
  readonly time: string;
  readonly datacontenttype: 'application/json';
  /** Extension attribute. */
  readonly severity: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** The result is the same for every attempt, so that a repeated delivery has an identical body. */
export function cloudEvent(event: DeliveredEvent, source: string): CloudEvent {
  return {
    specversion: '1.0',
    id: event.id,
    source,
    type: event.name,
    subject: event.subject,
    time: event.occurredAt.toISOString(),
    datacontenttype: 'application/json',
    severity: event.severity,
    data: eventData(event),
  };
}

export function eventData({
  payload,
  auditId,
  link,
  content,
}: DeliveredEvent): Readonly<Record<string, unknown>> {
  return {
    ...payload,
    audit_id: auditId,
    link,
    ...(content !== null && {
      prompt: content.prompt,
      prompt_storage: content.promptStorage,
      matched_text: content.matchedText,
    }),
  };
}

const SENTENCES = new Map<string, string>(
  EVENTS.map(({ eventName, description }) => [eventName, description]),
);

/** The description of the event from the reference. */
export function sentenceOf({ name }: DeliveredEvent): string {
  return SENTENCES.get(name) ?? name;
}

const FACTS = [
  'rule_id',
  'tool',
  'application',
  'principal_id',
  'actor_id',
  'run_id',
  'approval_id',
  'mode',
  'outcome',
  'keys',
] as const;

/** The most important fields of the payload as pairs of label and text. Absent fields are omitted. */
export function factsOf({ payload }: DeliveredEvent): readonly (readonly [name: string, text: string])[] {
  return FACTS.flatMap((name) => {
    const value = payload[name];
    if (value === undefined || value === null) return [];
    return [[name.replaceAll('_', ' '), Array.isArray(value) ? value.join(', ') : textOf(value)] as const];
  });
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** A fact of an event as a text; `null` if it is absent or empty. */
export function factText(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

/** Cuts the text to this many characters; the last one is then an ellipsis. */
export function shortened(text: string, maxLength: number): string {
  return text.length <= maxLength ? text : `${text.slice(0, maxLength - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
}
