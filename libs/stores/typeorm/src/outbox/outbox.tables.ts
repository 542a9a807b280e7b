import type { Dialect } from '../dialects/dialect.js';
import { GROWING_ID, indexNaming, tablesOf, type TableNaming } from '../tables.js';

export function outboxTables(dialect: Dialect, naming: TableNaming): readonly string[] {
  const tables = tablesOf(naming);
  const index = indexNaming(naming);
  return [
    `create table ${tables.outbox} (
      position ${GROWING_ID},
      event_id text not null,
      name varchar(80) not null,
      subject text not null,
      severity varchar(10) not null,
      occurred_at timestamptz(3) not null,
      payload text not null,
      audit_id bigint,
      attempts integer not null default 0,
      due_at timestamptz(3) not null default ${dialect.now},
      delivered_at timestamptz(3),
      last_error text)`,
    `create index ${index('outbox_waiting')} on ${tables.outbox} (position) where delivered_at is null`,
    `create index ${index('outbox_by_subject')} on ${tables.outbox} (subject, position) where delivered_at is null`,
  ];
}
