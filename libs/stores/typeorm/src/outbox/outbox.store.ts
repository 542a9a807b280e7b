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
import type { Transaction } from '../database/connection-pool.js';
import type { Database } from '../database/database.js';
import { fromNow, join, NOW, raw, rows, sql, type Sql } from '../database/sql.js';
import { eventInsert } from './event-insert.js';

type Stored<Event extends StoredEvent> = Omit<Event, 'payload'> & { readonly payload: string };

const NUMBERED_AT_ONCE = 2_000;

/** Deliveries of a subject that become due at once; the rest of a long queue follows with later settlements. */
const RELEASED_AT_ONCE = 100;

/** Columns of an event `event`, under the names of the record. */
const EVENT_COLUMNS = raw(
  `event.position, event.event_id as id, event.name, event.subject, event.severity,
   event.occurred_at as "occurredAt", event.payload, event.audit_id as "auditId"`,
);

const IS_GIVEN = raw(
  `delivery.sink = given.sink and delivery.subject = given.subject and delivery.position = given.position
   and delivery.dead_at is null`,
);

/** Each method is the statement that it sends. */
export class TypeormOutboxStore extends OutboxStore {
  constructor(private readonly database: Database) {
    super();
  }

  /**
   * Leases due deliveries of a sink. An earlier delivery of the same subject that is not due, or that another claim takes,
   * is a blocker: deliveries behind it are not leased. They are delayed until the blocker is due, so that the next claim
   * does not read them again. Behind a blocker that is locked, they are not delayed: its settlement makes them due.
   */
  override async claim(sink: string, limit: number, leaseMs: number) {
    const { deliveries, outbox } = this.database.tables;
    const ofSink = sql`delivery.sink = ${sink} and delivery.dead_at is null`;
    const claimed = await this.database.query<Stored<QueuedEvent>>(
      sql`
      with due as materialized (
        select delivery.subject, delivery.position from ${deliveries} delivery
        where ${ofSink} and delivery.due_at <= ${NOW}
        order by delivery.due_at, delivery.position limit ${limit} for update skip locked
      ), blockers as materialized (
        select waiting.subject, blocker.position
        from (select distinct subject from due) waiting
        cross join lateral (
          select delivery.position from ${deliveries} delivery
          where ${ofSink} and delivery.subject = waiting.subject
            and delivery.position not in (select position from due)
          order by delivery.position limit 1) blocker
      ), locked_blockers as materialized (
        select delivery.subject, delivery.position, delivery.due_at
        from ${deliveries} delivery
        join blockers on blockers.subject = delivery.subject and blockers.position = delivery.position
        where ${ofSink} for update of delivery skip locked
      ), delayed as (
        update ${deliveries} delivery set due_at = blocker.due_at, lease = null
        from due join locked_blockers blocker on blocker.subject = due.subject and blocker.position < due.position
        where ${ofSink} and delivery.subject = due.subject and delivery.position = due.position
          and delivery.due_at < blocker.due_at
      ), claimed as (
        update ${deliveries} delivery
        set due_at = ${fromNow(leaseMs)}, lease = ${randomUUID()}
        from due left join blockers on blockers.subject = due.subject
        where ${ofSink} and delivery.subject = due.subject and delivery.position = due.position
          and (blockers.position is null or due.position < blockers.position)
        returning delivery.position, delivery.attempts, delivery.queued_at, delivery.lease
      )
      select ${EVENT_COLUMNS}, claimed.attempts, claimed.queued_at as "queuedAt", claimed.lease
      from claimed join ${outbox} event on event.position = claimed.position
      order by event.position`,
      { isPrepared: true },
    );
    return claimed.map((row) => withPayload<QueuedEvent>(row));
  }

  override async delivered(sink: string, events: readonly QueuedEvent[]) {
    const { deliveries } = this.database.tables;
    if (events.length > 0)
      await this.end(
        sink,
        sql`delete from ${deliveries} delivery using ${givenDeliveries(sink, events)}
          where ${IS_GIVEN} returning delivery.subject`,
      );
  }

  override async retry(sink: string, event: QueuedEvent, delayMs: number, error: string) {
    const { deliveries } = this.database.tables;
    await this.database.query(
      sql`update ${deliveries} delivery
        set due_at = ${fromNow(delayMs)}, attempts = attempts + 1, lease = null, last_error = ${error}
        from ${givenDeliveries(sink, [event])} where ${IS_GIVEN} and delivery.lease = given.lease`,
    );
  }

  override async markDead(sink: string, event: QueuedEvent, error: string) {
    const { deliveries } = this.database.tables;
    await this.end(
      sink,
      sql`update ${deliveries} delivery
        set dead_at = ${NOW}, attempts = attempts + 1, lease = null, last_error = ${error}
        from ${givenDeliveries(sink, [event])} where ${IS_GIVEN} and delivery.lease = given.lease
        returning delivery.subject`,
    );
  }

  override async release(sink: string, events: readonly QueuedEvent[]) {
    const { deliveries } = this.database.tables;
    if (events.length > 0)
      await this.database.query(
        sql`update ${deliveries} delivery set due_at = ${NOW}, lease = null
          from ${givenDeliveries(sink, events)} where ${IS_GIVEN} and delivery.lease = given.lease`,
      );
  }

  override markOldDead(sink: string, waitedMs: number, limit: number, error: string) {
    const { deliveries } = this.database.tables;
    return this.end(
      sink,
      sql`
      with old as materialized (
        select subject, position from ${deliveries}
        where sink = ${sink} and dead_at is null and (lease is null or due_at <= ${NOW})
          and queued_at <= ${fromNow(-waitedMs)}
        order by position limit ${limit} for update skip locked)
      update ${deliveries} delivery set dead_at = ${NOW}, lease = null, last_error = ${error}
      from old
      where delivery.sink = ${sink} and delivery.subject = old.subject and delivery.position = old.position
      returning delivery.subject`,
    );
  }

  /** Reads one row more than the limit. */
  override async deadLetters(sink: string, { cursor, sequence, limit }: DeadLetterRequest) {
    await this.numberEvents();
    const { deliveries, outbox } = this.database.tables;
    const wanted = [
      sql`sink = ${sink} and dead_at is not null`,
      ...(cursor === undefined ? [] : [sql`position < ${cursor}`]),
      ...(sequence === undefined ? [] : [this.hasSequence(sequence)]),
    ];
    const found = await this.database.query<Stored<DeadLetter>>(sql`
      with dead as materialized (
        select position, attempts, last_error, dead_at from ${deliveries}
        where ${join(wanted, ' and ')} order by position desc limit ${limit + 1})
      select ${EVENT_COLUMNS}, event.sequence, dead.attempts, dead.last_error as error, dead.dead_at as "diedAt"
      from dead join ${outbox} event on event.position = dead.position
      order by event.position desc`);
    const shown = found.slice(0, limit);
    const next_cursor = found.length > limit ? (shown.at(-1)?.position ?? null) : null;
    // An event that another instance is numbering at this moment appears in the next read.
    const numbered = shown.filter((letter) => letter.sequence !== null);
    return { entries: numbered.map((row) => withPayload<DeadLetter>(row)), next_cursor };
  }

  override retryDead(sink: string, limit: number, sequence?: number) {
    const { deliveries } = this.database.tables;
    const only = sequence === undefined ? raw('') : sql`and ${this.hasSequence(sequence)}`;
    return this.database.execute(sql`
      with dead as (
        select subject, position from ${deliveries}
        where sink = ${sink} and dead_at is not null ${only}
        order by position limit ${limit} for update skip locked)
      update ${deliveries} delivery set dead_at = null, attempts = 0, queued_at = ${NOW}, due_at = ${NOW}
      from dead
      where delivery.sink = ${sink} and delivery.subject = dead.subject and delivery.position = dead.position`);
  }

  override async add(events: readonly OutgoingEvent[]) {
    if (events.length > 0) await this.database.query(eventInsert(this.database.tables, events));
  }

  /** Due since it was queued, so that it comes before the deliveries behind it. */
  override async retryNow(sink: string, limit?: number) {
    const { deliveries } = this.database.tables;
    await this.database.query(sql`
      with waiting as (
        select subject, position from ${deliveries}
        where sink = ${sink} and dead_at is null and lease is null and attempts > 0 and due_at > ${NOW}
        order by due_at, position limit ${limit ?? null} for update skip locked)
      update ${deliveries} delivery set due_at = delivery.queued_at from waiting
      where delivery.sink = ${sink} and delivery.subject = waiting.subject and delivery.position = waiting.position`);
  }

  override requeue(sink: string, positions: readonly number[]) {
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

  override backlog() {
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

  override async after(sequence: number, limit: number) {
    await this.numberEvents();
    const found = await this.database.query<Stored<NumberedEvent>>(
      sql`select event.sequence, ${EVENT_COLUMNS} from ${this.database.tables.outbox} event
        where event.sequence > ${sequence} order by event.sequence limit ${limit}`,
    );
    return found.map((row) => withPayload<NumberedEvent>(row));
  }

  override async newest() {
    await this.numberEvents();
    const [row] = await this.database.query<{ sequence: number }>(
      sql`select last_sequence as sequence from ${this.database.tables.outboxSequence}`,
    );
    return Number(row?.sequence);
  }

  /** Reads the oldest positions only, so the cost does not depend on the number of stored events. */
  override prune(before: Date, limit: number, sinks: readonly string[]) {
    const { outbox, deliveries } = this.database.tables;
    return this.database.execute(sql`
      with oldest as (
        select position, occurred_at from ${outbox} order by position limit ${limit}
      ), old as (
        select position from oldest
        where occurred_at < ${before}::timestamptz
          and not exists (
            select 1 from ${deliveries} delivery
            where delivery.position = oldest.position and delivery.dead_at is null
              and delivery.sink = any(${sinks}::text[]))
      ), left_over as (
        delete from ${deliveries} delivery using old where delivery.position = old.position
      )
      delete from ${outbox} event using old where event.position = old.position`);
  }

  /**
   * Ends deliveries, then makes those due that claims delayed behind them. Returns how many ended. The second statement
   * runs after the first one, because a claim may add to them until that one has the lock on its row.
   */
  private async end(sink: string, statement: Sql): Promise<number> {
    const { deliveries } = this.database.tables;
    const ended = await this.database.query<{ subject: string }>(statement, { isPrepared: true });
    const subjects = [...new Set(ended.map(({ subject }) => subject))];
    if (subjects.length > 0)
      await this.database.query(
        sql`
        update ${deliveries} delivery set due_at = ${NOW}
        from unnest(${subjects}::text[]) freed(subject)
        cross join lateral (
          select next.position from ${deliveries} next
          where next.sink = ${sink} and next.subject = freed.subject and next.dead_at is null
          order by next.position limit ${RELEASED_AT_ONCE}) following
        where delivery.sink = ${sink} and delivery.subject = freed.subject and delivery.position = following.position
          and delivery.dead_at is null and delivery.lease is null and delivery.attempts = 0
          and delivery.due_at > ${NOW}`,
        { isPrepared: true },
      );
    return ended.length;
  }

  private hasSequence(sequence: number) {
    return sql`position = (select position from ${this.database.tables.outbox} where sequence = ${sequence})`;
  }

  private async numberEvents() {
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
    const {
      rows: [state],
    } = await transaction.query<{ last: number }>(
      sql`select last_sequence as last from ${outboxSequence} for update skip locked`,
    );
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

/** The deliveries of these events as a relation `given`. */
function givenDeliveries(sink: string, events: readonly QueuedEvent[]) {
  const keys = events.map(({ subject, position, lease }) => ({ subject, position, lease }));
  return sql`(select ${sink}::text as sink, event.*
    from ${rows(keys, { subject: 'text', position: 'bigint', lease: 'text' }, 'event')}) given`;
}
