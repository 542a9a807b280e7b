import type { Dialect, Index } from '../dialects/dialect.js';
import { tablesOf, type TableNaming } from '../tables.js';

export function outboxTables(dialect: Dialect, naming: TableNaming): readonly string[] {
  const { types: type, tableEnd, head } = dialect;
  const tables = tablesOf(naming);
  const index = (given: Index): string => dialect.index(naming, given);
  return [
    `create table ${tables.outbox} (
      position ${type.growingId},
      sequence bigint,
      event_id ${type.text} not null,
      name varchar(80) not null,
      subject ${type.text} not null,
      severity varchar(10) not null,
      occurred_at ${type.time} not null,
      payload ${type.text} not null,
      audit_id bigint,
      sinks ${type.text} not null)${tableEnd()}`,
    index({ name: 'outbox_unnumbered', on: 'outbox', columns: ['position'], where: 'sequence is null' }),
    index({
      name: 'outbox_by_sequence',
      on: 'outbox',
      columns: ['sequence'],
      unique: true,
      where: 'sequence is not null',
    }),
    `create table ${tables.outboxState} (id integer primary key, last_sequence bigint not null)${tableEnd()}`,
    `insert into ${tables.outboxState} (id, last_sequence) values (1, 0)`,
    `create table ${tables.deliveries} (
      sink varchar(40) not null,
      subject ${type.text} not null,
      position bigint not null,
      attempts integer not null default 0,
      queued_at ${type.time} not null default (${dialect.now}),
      due_at ${type.time} not null default (${dialect.now}),
      lease varchar(36),
      last_error ${type.text},
      dead_at ${type.time},
      ${dialect.primaryKey('sink, subject, position', 'sink, position')})${tableEnd()}`,
    index({
      name: 'deliveries_by_subject',
      on: 'deliveries',
      columns: [],
      instead: ['sink', head('subject'), 'position'],
    }),
    index({
      name: 'deliveries_due',
      on: 'deliveries',
      columns: ['sink', 'due_at', 'position'],
      where: 'dead_at is null',
    }),
    index({ name: 'deliveries_by_position', on: 'deliveries', columns: ['position'] }),
  ];
}
