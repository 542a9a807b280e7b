import { randomUUID } from 'node:crypto';
import {
  OutboxStore,
  type DeadLetter,
  type DeadLetterRequest,
  type NumberedEvent,
  type OutgoingEvent,
  type QueuedEvent,
  type SinkBacklog,
  type StoredEvent,
} from '#contracts/events/outbox.js';
import type { Page } from '#contracts/common/page.js';
import type { Transaction } from '../database/connection-pool.js';
import type { Database } from '../database/database.js';
import { NOW, sql, type Sql } from '../database/sql.js';
import {
  claimStatement,
  deadLettersStatement,
  deadStatement,
  deliveredStatement,
  EVENT_COLUMNS,
  oldDeadStatement,
  pruneStatement,
  releaseFollowing,
  releaseStatement,
  retryDeadStatement,
  retryStatement,
} from './delivery-statements.js';
import { eventInsert } from './event-insert.js';

type Stored<Event extends StoredEvent> = Omit<Event, 'payload'> & { readonly payload: string };

const NUMBERED_AT_ONCE = 2_000;

export class TypeormOutboxStore extends OutboxStore {
  constructor(private readonly database: Database) {
    super();
  }

  override async claim(sink: string, limit: number, leaseMs: number): Promise<readonly QueuedEvent[]> {
    const request = { sink, limit, leaseMs, lease: randomUUID() };
    const statement = claimStatement(this.database.tables, request);
    const rows = await this.database.query<Stored<QueuedEvent>>(statement, { isPrepared: true });
    return rows.map((row) => withPayload<QueuedEvent>(row));
  }

  override async delivered(sink: string, events: readonly QueuedEvent[]): Promise<void> {
    if (events.length === 0) return;
    await this.end(sink, deliveredStatement(this.database.tables, sink, events));
  }

  override async retry(sink: string, event: QueuedEvent, delayMs: number, error: string): Promise<void> {
    await this.database.query(retryStatement(this.database.tables, sink, event, { delayMs, error }));
  }

  override async markDead(sink: string, event: QueuedEvent, error: string): Promise<void> {
    await this.end(sink, deadStatement(this.database.tables, sink, event, error));
  }

  override async release(sink: string, events: readonly QueuedEvent[]): Promise<void> {
    if (events.length > 0) await this.database.query(releaseStatement(this.database.tables, sink, events));
  }

  override markOldDead(sink: string, waitedMs: number, limit: number, error: string): Promise<number> {
    return this.end(sink, oldDeadStatement(this.database.tables, sink, { waitedMs, limit, error }));
  }

  override async deadLetters(sink: string, request: DeadLetterRequest): Promise<Page<DeadLetter>> {
    await this.numberEvents();
    const statement = deadLettersStatement(this.database.tables, sink, request);
    const rows = await this.database.query<Stored<DeadLetter>>(statement);
    const shown = rows.slice(0, request.limit);
    const next_cursor = rows.length > request.limit ? (shown.at(-1)?.position ?? null) : null;
    // An event that another instance is numbering at this moment appears in the next read.
    const numbered = shown.filter(({ sequence }) => sequence !== null);
    return { entries: numbered.map((row) => withPayload<DeadLetter>(row)), next_cursor };
  }

  override retryDead(sink: string, limit: number, sequence?: number): Promise<number> {
    return this.database.execute(retryDeadStatement(this.database.tables, sink, limit, sequence));
  }

  override async add(events: readonly OutgoingEvent[]): Promise<void> {
    if (events.length > 0) await this.database.query(eventInsert(this.database.tables, events));
  }

  /** Due since it was queued, so that it comes before the deliveries behind it. */
  override async retryNow(sink: string, limit?: number): Promise<void> {
    const { deliveries } = this.database.tables;
    await this.database.query(sql`
      with waiting as (
        select subject, position from ${deliveries}
        where sink = ${sink} and dead_at is null and lease is null and attempts > 0 and due_at > ${NOW}
        order by due_at, position limit ${limit ?? null} for update skip locked)
      update ${deliveries} delivery set due_at = delivery.queued_at from waiting
      where delivery.sink = ${sink} and delivery.subject = waiting.subject and delivery.position = waiting.position`);
  }

  override requeue(sink: string, positions: readonly number[]): Promise<number> {
    const { deliveries, outbox } = this.database.tables;
    return this.database.execute(sql`
      insert into ${deliveries} as delivery (sink, subject, position)
      select ${sink}, subject, position from ${outbox} where position = any(${positions}::bigint[])
      on conflict (sink, subject, position) do update
      set dead_at = null,
        attempts = case when delivery.dead_at is null then delivery.attempts else 0 end,
        queued_at = case when delivery.dead_at is null then delivery.queued_at else ${NOW} end,
        due_at = case when delivery.dead_at is null then delivery.due_at else ${NOW} end`);
  }

  override backlog(): Promise<readonly SinkBacklog[]> {
    const { deliveries, outbox } = this.database.tables;
    return this.database.query<SinkBacklog>(sql`
      select total.sink, total.waiting, total.retrying, total.dead,
        event.occurred_at as "waitingSince", oldest.last_error as error
      from (select sink, count(*) filter (where dead_at is null) as waiting,
              count(*) filter (where dead_at is null and attempts > 0) as retrying,
              count(*) filter (where dead_at is not null) as dead,
              min(position) filter (where dead_at is null) as first
            from ${deliveries} group by sink) total
      left join ${outbox} event on event.position = total.first
      left join ${deliveries} oldest on oldest.sink = total.sink and oldest.position = total.first
      order by total.sink`);
  }

  override async after(sequence: number, limit: number): Promise<readonly NumberedEvent[]> {
    await this.numberEvents();
    const rows = await this.database.query<Stored<NumberedEvent>>(
      sql`select event.sequence, ${EVENT_COLUMNS} from ${this.database.tables.outbox} event
        where event.sequence > ${sequence} order by event.sequence limit ${limit}`,
    );
    return rows.map((row) => withPayload<NumberedEvent>(row));
  }

  override async newest(): Promise<number> {
    await this.numberEvents();
    const [row] = await this.database.query<{ sequence: number }>(
      sql`select last_sequence as sequence from ${this.database.tables.outboxSequence}`,
    );
    return Number(row?.sequence);
  }

  override prune(before: Date, limit: number, sinks: readonly string[]): Promise<number> {
    return this.database.execute(pruneStatement(this.database.tables, before, limit, sinks));
  }

  /** Ends deliveries, then releases those behind them. Returns how many ended. */
  private async end(sink: string, statement: Sql): Promise<number> {
    const { tables } = this.database;
    const ended = await this.database.query<{ subject: string }>(statement, { isPrepared: true });
    const subjects = [...new Set(ended.map(({ subject }) => subject))];
    if (subjects.length > 0)
      await this.database.query(releaseFollowing(tables, sink, subjects), { isPrepared: true });
    return ended.length;
  }

  private async numberEvents(): Promise<void> {
    const { outbox } = this.database.tables;
    const [unnumbered] = await this.database.query(
      sql`select 1 from ${outbox} where sequence is null limit 1`,
    );
    if (unnumbered === undefined) return;
    while (await this.database.transaction((transaction) => this.numberNext(transaction)));
  }

  /**
   * Numbers committed events. One instance at a time does so and commits before the next begins, so no number appears
   * below one that could be read; the others skip it. Returns whether there may be more.
   */
  private async numberNext(transaction: Transaction): Promise<boolean> {
    const { outbox, outboxSequence } = this.database.tables;
    const { rows } = await transaction.query<{ last: number }>(
      sql`select last_sequence as last from ${outboxSequence} for update skip locked`,
    );
    const [state] = rows;
    if (state === undefined) return false;
    // Only a separate statement sees everything that was committed before the lock.
    const { rowCount } = await transaction.query(sql`
      with fresh as materialized (
        select position from ${outbox} where sequence is null order by position limit ${NUMBERED_AT_ONCE}
      ), moved as (
        update ${outboxSequence} set last_sequence = last_sequence + (select count(*) from fresh))
      update ${outbox} event set sequence = ${state.last}::bigint + numbered.turn
      from (select position, row_number() over (order by position) as turn from fresh) numbered
      where event.position = numbered.position`);
    return rowCount === NUMBERED_AT_ONCE;
  }
}

function withPayload<Event extends StoredEvent>(row: Stored<Event>): Event {
  return { ...row, payload: JSON.parse(row.payload) as StoredEvent['payload'] } as unknown as Event;
}
