import { EntitySchema } from 'typeorm';
import type { QueuedEvent } from '../../../../contracts/src/events.js';
import { columnsOf, nullable } from '../columns.js';
import type { Dialect } from '../dialects/dialect.js';
import { tableName, type TableNaming } from '../tables.js';

export interface OutboxRow extends Omit<QueuedEvent, 'id'> {
  readonly eventId: string;
  /** A lease is a due time in the future. */
  readonly dueAt: Date;
  readonly deliveredAt: Date | null;
  readonly lastError: string | null;
}

export function outboxEntity({ columns: kind }: Dialect, naming: TableNaming): EntitySchema<OutboxRow> {
  return new EntitySchema<OutboxRow>({
    name: tableName(naming, 'outbox'),
    schema: naming.schema,
    synchronize: false,
    columns: columnsOf<OutboxRow>({
      position: kind.id,
      eventId: kind.text,
      name: kind.text,
      subject: kind.text,
      severity: kind.text,
      occurredAt: kind.time,
      payload: kind.json,
      auditId: nullable(kind.bigInteger),
      attempts: kind.integer,
      dueAt: kind.time,
      deliveredAt: nullable(kind.time),
      lastError: nullable(kind.text),
    }),
  });
}
