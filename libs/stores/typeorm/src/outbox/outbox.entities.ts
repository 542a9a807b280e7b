import { EntitySchema } from 'typeorm';
import type { StoredEvent } from '../../../../contracts/src/outbox.js';
import { columnsOf, nullable, primary } from '../columns.js';
import type { Dialect } from '../dialects/dialect.js';
import { tableName, type TableNaming } from '../tables.js';

export interface OutboxRow extends Omit<StoredEvent, 'id'> {
  readonly eventId: string;
  /** Given after the commit; readers go by it. */
  readonly sequence: number | null;
  /** Who selected it: names, with a space in between. */
  readonly sinks: string;
}

/** One row. Who holds it gives the numbers. */
export interface OutboxStateRow {
  readonly id: number;
  readonly lastSequence: number;
}

/** What is left to do for one sink; gone once it is delivered. */
export interface DeliveryRow {
  readonly sink: string;
  readonly subject: string;
  readonly position: number;
  readonly attempts: number;
  readonly queuedAt: Date;
  /** In the future: not yet to be tried again, held behind another one of its subject, or leased. */
  readonly dueAt: Date;
  readonly lease: string | null;
  readonly lastError: string | null;
  readonly deadAt: Date | null;
}

export function outboxEntity({ columns: kind }: Dialect, naming: TableNaming): EntitySchema<OutboxRow> {
  return new EntitySchema<OutboxRow>({
    name: tableName(naming, 'outbox'),
    schema: naming.schema,
    synchronize: false,
    columns: columnsOf<OutboxRow>({
      position: kind.id,
      sequence: nullable(kind.bigInteger),
      eventId: kind.text,
      name: kind.text,
      subject: kind.text,
      severity: kind.text,
      occurredAt: kind.time,
      payload: kind.json,
      auditId: nullable(kind.bigInteger),
      sinks: kind.text,
    }),
  });
}

export function outboxStateEntity(
  { columns: kind }: Dialect,
  naming: TableNaming,
): EntitySchema<OutboxStateRow> {
  return new EntitySchema<OutboxStateRow>({
    name: tableName(naming, 'outboxState'),
    schema: naming.schema,
    synchronize: false,
    columns: columnsOf<OutboxStateRow>({ id: primary(kind.integer), lastSequence: kind.bigInteger }),
  });
}

export function deliveryEntity({ columns: kind }: Dialect, naming: TableNaming): EntitySchema<DeliveryRow> {
  return new EntitySchema<DeliveryRow>({
    name: tableName(naming, 'deliveries'),
    schema: naming.schema,
    synchronize: false,
    columns: columnsOf<DeliveryRow>({
      sink: primary(kind.text),
      subject: primary(kind.text),
      position: primary(kind.bigInteger),
      attempts: kind.integer,
      queuedAt: kind.time,
      dueAt: kind.time,
      lease: nullable(kind.text),
      lastError: nullable(kind.text),
      deadAt: nullable(kind.time),
    }),
  });
}
