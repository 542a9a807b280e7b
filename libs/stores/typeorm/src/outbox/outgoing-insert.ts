import type { OutgoingEvent } from '../../../../contracts/src/outbox.js';
import { scrubText } from '../../../../contracts/src/text.js';
import { jsonText } from '../json-text.js';
import { timeText, type Parameters } from '../parameters.js';
import type { Tables } from '../tables.js';

export interface PlacedEvent {
  readonly event: OutgoingEvent;
  /** Which row of `evidence` it belongs to. */
  readonly place: number;
}

/**
 * The one door into the outbox, as parts of a `with`: events in their order, and a delivery for each sink that
 * selected one, due at once. `evidence` is what they are committed with, as a relation of the same statement with
 * the columns `id` and `place`; without it they belong to no decision.
 */
export function outgoingParts(
  tables: Tables,
  placed: readonly PlacedEvent[],
  parameters: Parameters,
  evidence?: string,
): readonly string[] {
  if (placed.length === 0) return [];
  const column = (value: (event: OutgoingEvent) => string, type: string): string =>
    `${parameters.add(placed.map(({ event }) => value(event)))}::${type}[]`;
  const lists = [
    column(({ id }) => scrubText(id), 'text'),
    column(({ name }) => name, 'text'),
    column(({ subject }) => scrubText(subject), 'text'),
    column(({ severity }) => severity, 'text'),
    column(({ occurredAt }) => timeText(occurredAt), 'timestamptz'),
    column(({ payload }) => jsonText(payload), 'text'),
    column(({ sinks }) => sinks.join(' '), 'text'),
    `${parameters.add(placed.map(({ place }) => place))}::bigint[]`,
  ];
  const [auditId, join] =
    evidence === undefined
      ? ['null::bigint', '']
      : ['decided.id', `join ${evidence} decided on decided.place = told.place`];
  const events = `outgoing as (
    insert into ${tables.outbox} (event_id, name, subject, severity, occurred_at, payload, sinks, audit_id)
    select told.event_id, told.name, told.subject, told.severity, told.occurred_at, told.payload, told.sinks, ${auditId}
    from unnest(${lists.join(', ')}) with ordinality
      as told (event_id, name, subject, severity, occurred_at, payload, sinks, place, turn)
    ${join}
    order by told.turn
    returning position, subject, sinks)`;
  if (placed.every(({ event }) => event.sinks.length === 0)) return [events];
  return [
    events,
    `outgoing_deliveries as (
    insert into ${tables.deliveries} (sink, subject, position)
    select sink, outgoing.subject, outgoing.position
    from outgoing cross join lateral unnest(string_to_array(outgoing.sinks, ' ')) as sink)`,
  ];
}
