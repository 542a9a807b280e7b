import type { DeliveredEvent } from '../../contracts/src/event-sink.js';

/** Where an event comes from, unless the deployer names it. */
export const SOURCE = '/nest-guardrails';

/** CloudEvents 1.0. */
export interface CloudEvent {
  readonly specversion: '1.0';
  readonly id: string;
  readonly source: string;
  readonly type: string;
  readonly subject: string;
  readonly time: string;
  readonly datacontenttype: 'application/json';
  /** An extension of ours. */
  readonly severity: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** The same for every attempt, so that a repeated delivery repeats it byte by byte. */
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
