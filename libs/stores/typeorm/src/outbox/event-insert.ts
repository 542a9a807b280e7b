import type { OutgoingEvent } from '#contracts/events/outbox.js';
import type { Transaction } from '../database/connection-pool.js';
import { Columns, join, toJsonText, raw, sql, type Sql } from '../database/sql.js';
import { macOf, type Tables } from '../database/tables.js';

interface PlacedEvent {
  readonly event: OutgoingEvent;
  /** Which row of the batch the event belongs to. */
  readonly place: number;
}

interface GivenEvent extends Omit<OutgoingEvent, 'id' | 'payload' | 'sinks'> {
  readonly eventId: string;
  readonly payload: string;
  readonly sinks: string;
  readonly mac: string | null;
  readonly place: number;
  readonly turn: number;
}

const EVENT = Columns.of<GivenEvent>({
  eventId: 'text',
  name: 'text',
  subject: 'text',
  severity: 'text',
  occurredAt: 'timestamptz',
  payload: 'text',
  sinks: 'text',
  mac: 'text',
  place: 'integer',
  turn: 'integer',
});

/**
 * Parts of a `with` that insert events in their order, and a delivery for each sink that selected one.
 *
 * @param auditId the id of the evidence, by `given.place`
 */
export function eventParts(
  tables: Tables,
  placed: readonly PlacedEvent[],
  auditId = raw('null::bigint'),
): readonly Sql[] {
  if (placed.length === 0) return [];
  const events = placed.map(
    ({ place, event: { id: eventId, payload: json, sinks: names, ...event } }, turn) => {
      const [payload, sinks] = [toJsonText(json), names.join(' ')];
      const mac = macOf(tables, 'event', eventId, event.name, event.subject, event.severity, payload, sinks);
      return { ...event, eventId, payload, sinks, mac, place, turn };
    },
  );
  const outgoing = sql`outgoing as (
      insert into ${tables.outbox} (event_id, name, subject, severity, occurred_at, payload, sinks, mac, audit_id)
      select event_id, name, subject, severity, occurred_at, payload, sinks, mac, ${auditId}
      from ${EVENT.rows(events)} order by turn
      returning position, subject, sinks)`;
  if (placed.every(({ event }) => event.sinks.length === 0)) return [outgoing];
  return [
    outgoing,
    sql`outgoing_deliveries as (
      insert into ${tables.deliveries} (sink, subject, position)
      select sink, outgoing.subject, outgoing.position
      from outgoing cross join lateral unnest(string_to_array(outgoing.sinks, ' ')) as sink)`,
  ];
}

/** A statement that inserts events which belong to no evidence. There must be at least one. */
export function eventInsert(tables: Tables, events: readonly OutgoingEvent[]): Sql {
  const parts = eventParts(
    tables,
    events.map((event) => ({ event, place: 1 })),
  );
  return sql`with ${join(parts, ',\n')} select position from outgoing`;
}

export async function insertEvents(
  transaction: Transaction,
  tables: Tables,
  events: readonly OutgoingEvent[],
): Promise<void> {
  if (events.length > 0) await transaction.query(eventInsert(tables, events));
}
