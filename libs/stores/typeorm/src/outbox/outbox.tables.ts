import type { Dialect } from '../dialects/dialect.js';
import { GROWING_ID, indexNaming, tablesOf, type TableNaming } from '../tables.js';

export function outboxTables(dialect: Dialect, naming: TableNaming): readonly string[] {
  const tables = tablesOf(naming);
  const index = indexNaming(naming);
  return [
    `create table ${tables.outbox} (
      position ${GROWING_ID},
      sequence bigint,
      event_id text not null,
      name varchar(80) not null,
      subject text not null,
      severity varchar(10) not null,
      occurred_at timestamptz(3) not null,
      payload text not null,
      audit_id bigint,
      sinks text not null)`,
    `create index ${index('outbox_unnumbered')} on ${tables.outbox} (position) where sequence is null`,
    `create unique index ${index('outbox_by_sequence')} on ${tables.outbox} (sequence) where sequence is not null`,
    `create table ${tables.outboxState} (id integer primary key, last_sequence bigint not null)`,
    `insert into ${tables.outboxState} (id, last_sequence) values (1, 0)`,
    `create table ${tables.deliveries} (
      sink varchar(40) not null,
      subject text not null,
      position bigint not null,
      attempts integer not null default 0,
      due_at timestamptz(3) not null default ${dialect.now},
      lease varchar(36),
      last_error text,
      dead_at timestamptz(3),
      primary key (sink, subject, position))`,
    `create index ${index('deliveries_due')} on ${tables.deliveries} (sink, due_at, position) where dead_at is null`,
    `create index ${index('deliveries_by_position')} on ${tables.deliveries} (position)`,
  ];
}
