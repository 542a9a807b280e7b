import type { EntityManager } from 'typeorm';
import type { OutgoingEvent } from '../../../../contracts/src/outbox.js';
import { scrubText } from '../../../../contracts/src/text.js';
import { jsonText } from '../json-text.js';
import type { Tables } from '../tables.js';
import { insertRows } from './mariadb-rows.js';
import { mariadbTime } from './spelling.js';

export interface DecidedEvent {
  readonly event: OutgoingEvent;
  /** The evidence it is committed with. */
  readonly auditId: number | null;
}

/** The one door into the outbox: events in their order, and a delivery for each sink that selected one, due at once. */
export async function writeOutgoing(
  manager: EntityManager,
  tables: Tables,
  told: readonly DecidedEvent[],
): Promise<void> {
  const columns = ['event_id', 'name', 'subject', 'severity', 'occurred_at', 'payload', 'sinks', 'audit_id'];
  const positions = await insertRows(
    manager,
    { into: tables.outbox, columns },
    told.map(({ event, auditId }) => [
      scrubText(event.id),
      event.name,
      scrubText(event.subject),
      event.severity,
      mariadbTime(event.occurredAt),
      jsonText(event.payload),
      event.sinks.join(' '),
      auditId,
    ]),
  );
  await insertRows(
    manager,
    { into: tables.deliveries, columns: ['sink', 'subject', 'position'] },
    told.flatMap(({ event: { sinks, subject } }, place) =>
      sinks.map((sink) => [sink, scrubText(subject), positions[place] ?? null]),
    ),
  );
}

export function writeEvents(
  manager: EntityManager,
  tables: Tables,
  events: readonly OutgoingEvent[],
): Promise<void> {
  const told = events.map((event) => ({ event, auditId: null }));
  return writeOutgoing(manager, tables, told);
}
