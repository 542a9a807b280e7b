import type { OutgoingEvent } from '../../../../contracts/src/events.js';
import { scrubText } from '../../../../contracts/src/text.js';
import { jsonText } from '../json-text.js';
import { timeText, type Parameters } from '../parameters.js';
import type { Tables } from '../tables.js';

/**
 * Puts events into the outbox, in their order, due at once. `evidence` names the part of the same statement that
 * holds the evidence's id; without it they belong to no decision.
 */
export function outgoingInsert(
  tables: Tables,
  events: readonly OutgoingEvent[],
  parameters: Parameters,
  evidence?: 'evidence',
): string {
  const lists = [
    `${parameters.add(events.map(({ id }) => scrubText(id)))}::text[]`,
    `${parameters.add(events.map(({ name }) => name))}::text[]`,
    `${parameters.add(events.map(({ subject }) => scrubText(subject)))}::text[]`,
    `${parameters.add(events.map(({ severity }) => severity))}::text[]`,
    `${parameters.add(events.map(({ occurredAt }) => timeText(occurredAt)))}::timestamptz[]`,
    `${parameters.add(events.map(({ payload }) => jsonText(payload)))}::text[]`,
  ];
  const from = evidence === undefined ? '' : `${evidence}, `;
  return `insert into ${tables.outbox} (event_id, name, subject, severity, occurred_at, payload, audit_id)
    select told.event_id, told.name, told.subject, told.severity, told.occurred_at, told.payload,
      ${evidence === undefined ? 'null::bigint' : `${evidence}.id`}
    from ${from}unnest(${lists.join(', ')}) with ordinality
      as told (event_id, name, subject, severity, occurred_at, payload, place)
    order by told.place`;
}
