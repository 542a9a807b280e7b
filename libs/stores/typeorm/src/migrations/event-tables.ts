import { NOW } from '../sql.js';
import type { TableNaming } from '../tables.js';
import { ID, TIME, type IndexOf, type TableTexts } from './columns.js';

export function outboxTables(t: TableTexts, { tablePrefix }: TableNaming, index: IndexOf): readonly string[] {
  return [
    `create table ${t.outbox} (
      position ${ID},
      sequence bigint,
      event_id text not null,
      name varchar(80) not null,
      subject text not null,
      severity varchar(10) not null,
      occurred_at ${TIME} not null,
      payload text not null,
      audit_id bigint,
      sinks text not null)`,
    index('outbox_unnumbered', `${t.outbox} (position) where sequence is null`),
    `create unique index "${tablePrefix}outbox_by_sequence" on ${t.outbox} (sequence) where sequence is not null`,
    // One row, locked by the instance that numbers events.
    `create table ${t.outboxSequence} (id integer primary key, last_sequence bigint not null)`,
    `insert into ${t.outboxSequence} (id, last_sequence) values (1, 0)`,
    `create table ${t.deliveries} (
      sink varchar(40) not null,
      subject text not null,
      position bigint not null,
      attempts integer not null default 0,
      queued_at ${TIME} not null default (${NOW.text}),
      due_at ${TIME} not null default (${NOW.text}),
      lease varchar(36),
      last_error text,
      dead_at ${TIME},
      primary key (sink, subject, position))`,
    index('deliveries_due', `${t.deliveries} (sink, due_at, position) where dead_at is null`),
    index('deliveries_dead', `${t.deliveries} (sink, position) where dead_at is not null`),
    index('deliveries_by_position', `${t.deliveries} (position)`),
  ];
}
