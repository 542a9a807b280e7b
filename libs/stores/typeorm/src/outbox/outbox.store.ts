import { randomUUID } from 'node:crypto';
import {
  OutboxStore,
  type NumberedEvent,
  type OutgoingEvent,
  type QueuedEvent,
  type SinkBacklog,
} from '../../../../contracts/src/outbox.js';
import type { Database } from '../database.js';
import { perform, rowsOf } from '../rows.js';
import { Parameters, timeText } from '../parameters.js';
import { claimStatement } from './claim-statement.js';
import { DeliveryStatements } from './delivery-statements.js';
import { hasUnnumbered, numberCommitted } from './outbox-numbering.js';
import {
  EVENT_COLUMNS,
  numberedEvent,
  queuedEvent,
  type ClaimedColumns,
  type NumberedColumns,
} from './outbox.rows.js';
import { outgoingParts } from './outgoing-insert.js';
import { pruneStatement } from './prune-statement.js';

interface BacklogColumns {
  readonly sink: string;
  readonly waiting: string;
  readonly retrying: string;
  readonly dead: string;
  readonly waiting_since: Date | null;
  readonly error: string | null;
}

export class TypeormOutboxStore extends OutboxStore {
  constructor(protected readonly database: Database) {
    super();
  }

  override async claim(sink: string, limit: number, leaseMs: number): Promise<readonly QueuedEvent[]> {
    const { tables, dialect } = this.database;
    const parameters = new Parameters();
    const lease = randomUUID();
    const statement = claimStatement(tables, dialect, { sink, limit, leaseMs, lease }, parameters);
    const rows = await this.database.commit<ClaimedColumns>(statement, parameters.values);
    return rows.map((row) => queuedEvent(row, lease));
  }

  override async delivered(sink: string, events: readonly QueuedEvent[]): Promise<void> {
    if (events.length === 0) return;
    const { parameters, statements } = this.statementsOf(sink);
    await this.database.commit(statements.delivered(events), parameters.values);
  }

  override retry(sink: string, event: QueuedEvent, delayMs: number, error: string): Promise<void> {
    return this.settle(sink, (statements) => statements.retry(event, delayMs, error));
  }

  override bury(sink: string, event: QueuedEvent, error: string): Promise<void> {
    return this.settle(sink, (statements) => statements.bury(event, error));
  }

  override release(sink: string, events: readonly QueuedEvent[]): Promise<void> {
    if (events.length === 0) return Promise.resolve();
    return this.settle(sink, (statements) => statements.release(events));
  }

  override buryOld(sink: string, waitedMs: number, limit: number, error: string): Promise<number> {
    const { parameters, statements } = this.statementsOf(sink);
    return this.counted(statements.buryOld(waitedMs, limit, error), parameters);
  }

  override revive(sink: string, limit: number): Promise<number> {
    const { tables, dialect } = this.database;
    const parameters = new Parameters();
    const name = parameters.text(sink);
    return this.counted(
      `with dead as (
         select subject, position from ${tables.deliveries}
         where sink = ${name} and dead_at is not null
         order by position limit ${parameters.add(limit)} for update skip locked
       ), revived as (
         update ${tables.deliveries} delivery set dead_at = null, attempts = 0, queued_at = ${dialect.now}, due_at = ${dialect.now}
         from dead
         where delivery.sink = ${name} and delivery.subject = dead.subject and delivery.position = dead.position
         returning 1)
       select count(*) from revived`,
      parameters,
    );
  }

  override async add(events: readonly OutgoingEvent[]): Promise<void> {
    if (events.length === 0) return;
    const parameters = new Parameters();
    const placed = events.map((event) => ({ event, place: 1 }));
    const parts = outgoingParts(this.database.tables, placed, parameters);
    await this.rows(`with ${parts.join(',\n')} select position from outgoing`, parameters);
  }

  /** Due since it was queued, so that it comes before what waits behind it. */
  override async hasten(sink: string, limit?: number): Promise<void> {
    const { tables, dialect } = this.database;
    await this.database.rows(
      `with waiting as (
         select subject, position from ${tables.deliveries}
         where sink = $1 and dead_at is null and lease is null and attempts > 0 and due_at > ${dialect.now}
         order by due_at, position limit $2 for update skip locked
       ), hastened as (
         update ${tables.deliveries} delivery set due_at = delivery.queued_at from waiting
         where delivery.sink = $1 and delivery.subject = waiting.subject and delivery.position = waiting.position
         returning 1)
       select count(*) from hastened`,
      [sink, limit ?? null],
    );
  }

  override requeue(sink: string, positions: readonly number[]): Promise<number> {
    const { tables, dialect } = this.database;
    const parameters = new Parameters();
    return this.counted(
      `with queued as (
         insert into ${tables.deliveries} as delivery (sink, subject, position)
         select ${parameters.text(sink)}, subject, position from ${tables.outbox}
         where position = any(${parameters.add(positions)}::bigint[])
         on conflict (sink, subject, position) do update
         set dead_at = null,
           attempts = case when delivery.dead_at is null then delivery.attempts else 0 end,
           queued_at = case when delivery.dead_at is null then delivery.queued_at else ${dialect.now} end,
           due_at = case when delivery.dead_at is null then delivery.due_at else ${dialect.now} end
         returning 1)
       select count(*) from queued`,
      parameters,
    );
  }

  override async backlog(): Promise<readonly SinkBacklog[]> {
    const { tables } = this.database;
    const rows = await this.database.rows<BacklogColumns>(
      `select left_over.*, event.occurred_at as waiting_since, oldest.last_error as error
       from (select sink, sum(case when dead_at is null then 1 else 0 end) as waiting,
               sum(case when dead_at is null and attempts > 0 then 1 else 0 end) as retrying,
               sum(case when dead_at is null then 0 else 1 end) as dead,
               min(case when dead_at is null then position end) as first
             from ${tables.deliveries} group by sink) left_over
       left join ${tables.outbox} event on event.position = left_over.first
       left join ${tables.deliveries} oldest on oldest.sink = left_over.sink and oldest.position = left_over.first
       order by left_over.sink`,
    );
    return rows.map(({ sink, waiting, retrying, dead, waiting_since, error }) => ({
      sink,
      waiting: Number(waiting),
      retrying: Number(retrying),
      dead: Number(dead),
      waitingSince: waiting_since,
      error,
    }));
  }

  override async after(sequence: number, limit: number): Promise<readonly NumberedEvent[]> {
    await this.number();
    const rows = await this.database.rows<NumberedColumns>(
      `select sequence, ${EVENT_COLUMNS.join(', ')} from ${this.database.tables.outbox}
       where sequence > $1 order by sequence limit $2`,
      [sequence, limit],
    );
    return rows.map(numberedEvent);
  }

  override async newest(): Promise<number> {
    await this.number();
    const [state] = await this.database.rows<{ last_sequence: string }>(
      `select last_sequence from ${this.database.tables.outboxState} where id = 1`,
    );
    return Number(state?.last_sequence);
  }

  override prune(before: Date, limit: number, sinks: readonly string[]): Promise<number> {
    const parameters = new Parameters();
    const statement = pruneStatement(this.database.tables, timeText(before), limit, sinks, parameters);
    return this.counted(statement, parameters);
  }

  protected async number(): Promise<void> {
    const { tables } = this.database;
    if (!(await this.database.statement((manager) => hasUnnumbered(manager, tables)))) return;
    while (await this.database.transaction((manager) => numberCommitted(manager, tables)));
  }

  private settle(sink: string, statement: (statements: DeliveryStatements) => string): Promise<void> {
    const { parameters, statements } = this.statementsOf(sink);
    const text = statement(statements);
    return this.database.statement(async (manager) => {
      await perform(manager, text, parameters.values);
    });
  }

  private statementsOf(sink: string) {
    const { tables, dialect } = this.database;
    const parameters = new Parameters();
    return { parameters, statements: new DeliveryStatements(tables, dialect, parameters, sink) };
  }

  private async counted(statement: string, parameters: Parameters): Promise<number> {
    const [row] = await this.rows<{ count: string }>(statement, parameters);
    return Number(row?.count);
  }

  private rows<Row>(statement: string, parameters: Parameters): Promise<Row[]> {
    return this.database.statement((manager) => rowsOf<Row>(manager, statement, parameters.values));
  }
}
