import type { DeadLetterRequest, QueuedEvent } from '#contracts/events/outbox.js';
import { fromNow, join, NOW, raw, rows, sql, type Sql } from '../database/sql.js';
import type { Tables } from '../database/tables.js';

interface ClaimRequest {
  readonly sink: string;
  readonly limit: number;
  readonly leaseMs: number;
  readonly lease: string;
}

/** Columns of an event `event`, under the names of the record. */
export const EVENT_COLUMNS = raw(
  `event.position, event.event_id as id, event.name, event.subject, event.severity,
   event.occurred_at as "occurredAt", event.payload, event.audit_id as "auditId"`,
);

/**
 * Leases due deliveries of a sink. An earlier delivery of the same subject that is not due, or that another claim takes,
 * is a blocker: deliveries behind it are not leased. They are delayed until the blocker is due, so that the next claim
 * does not read them again. Behind a blocker that is locked, they are not delayed: its settlement makes them due.
 */
export function claimStatement(
  { deliveries, outbox }: Tables,
  { sink, limit, leaseMs, lease }: ClaimRequest,
): Sql {
  const ofSink = sql`delivery.sink = ${sink} and delivery.dead_at is null`;
  return sql`
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
      set due_at = ${fromNow(leaseMs)}, lease = ${lease}
      from due left join blockers on blockers.subject = due.subject
      where ${ofSink} and delivery.subject = due.subject and delivery.position = due.position
        and (blockers.position is null or due.position < blockers.position)
      returning delivery.position, delivery.attempts, delivery.queued_at, delivery.lease
    )
    select ${EVENT_COLUMNS}, claimed.attempts, claimed.queued_at as "queuedAt", claimed.lease
    from claimed join ${outbox} event on event.position = claimed.position
    order by event.position`;
}

/** The deliveries of these events as a relation `given`. */
function givenDeliveries(sink: string, events: readonly QueuedEvent[]): Sql {
  const keys = events.map(({ subject, position, lease }) => ({ subject, position, lease }));
  return sql`(select ${sink}::text as sink, event.*
    from ${rows(keys, { subject: 'text', position: 'bigint', lease: 'text' }, 'event')}) given`;
}

const IS_GIVEN = raw(
  `delivery.sink = given.sink and delivery.subject = given.subject and delivery.position = given.position
   and delivery.dead_at is null`,
);

/** Ends deliveries. Returns their subjects for `releaseFollowing`, like the next two statements. */
export function deliveredStatement(
  { deliveries }: Tables,
  sink: string,
  events: readonly QueuedEvent[],
): Sql {
  return sql`delete from ${deliveries} delivery using ${givenDeliveries(sink, events)}
    where ${IS_GIVEN} returning delivery.subject`;
}

export function deadStatement({ deliveries }: Tables, sink: string, event: QueuedEvent, error: string): Sql {
  return sql`update ${deliveries} delivery
    set dead_at = ${NOW}, attempts = attempts + 1, lease = null, last_error = ${error}
    from ${givenDeliveries(sink, [event])} where ${IS_GIVEN} and delivery.lease = given.lease
    returning delivery.subject`;
}

/** Marks deliveries dead that have waited for `waitedMs` and are not leased. */
export function oldDeadStatement(
  { deliveries }: Tables,
  sink: string,
  { waitedMs, limit, error }: { readonly waitedMs: number; readonly limit: number; readonly error: string },
): Sql {
  return sql`
    with old as materialized (
      select subject, position from ${deliveries}
      where sink = ${sink} and dead_at is null and (lease is null or due_at <= ${NOW})
        and queued_at <= ${fromNow(-waitedMs)}
      order by position limit ${limit} for update skip locked)
    update ${deliveries} delivery set dead_at = ${NOW}, lease = null, last_error = ${error}
    from old
    where delivery.sink = ${sink} and delivery.subject = old.subject and delivery.position = old.position
    returning delivery.subject`;
}

/** Deliveries of a subject that become due at once; the rest of a long queue follows with later settlements. */
const RELEASED_AT_ONCE = 100;

/**
 * Makes those deliveries due that claims delayed behind a delivery that has ended. It runs after the statement that ended
 * it, because a claim may add to them until that statement has the lock on its row.
 */
export function releaseFollowing({ deliveries }: Tables, sink: string, subjects: readonly string[]): Sql {
  return sql`
    update ${deliveries} delivery set due_at = ${NOW}
    from unnest(${subjects}::text[]) freed(subject)
    cross join lateral (
      select next.position from ${deliveries} next
      where next.sink = ${sink} and next.subject = freed.subject and next.dead_at is null
      order by next.position limit ${RELEASED_AT_ONCE}) following
    where delivery.sink = ${sink} and delivery.subject = freed.subject and delivery.position = following.position
      and delivery.dead_at is null and delivery.lease is null and delivery.attempts = 0
      and delivery.due_at > ${NOW}`;
}

/** Reads one row more than the limit. */
export function deadLettersStatement(
  { deliveries, outbox }: Tables,
  sink: string,
  { cursor, sequence, limit }: DeadLetterRequest,
): Sql {
  const wanted = [
    sql`sink = ${sink} and dead_at is not null`,
    ...(cursor === undefined ? [] : [sql`position < ${cursor}`]),
    ...(sequence === undefined ? [] : [hasSequence(outbox, sequence)]),
  ];
  return sql`
    with dead as materialized (
      select position, attempts, last_error, dead_at from ${deliveries}
      where ${join(wanted, ' and ')} order by position desc limit ${limit + 1})
    select ${EVENT_COLUMNS}, event.sequence, dead.attempts, dead.last_error as error, dead.dead_at as "diedAt"
    from dead join ${outbox} event on event.position = dead.position
    order by event.position desc`;
}

function hasSequence(outbox: Sql, sequence: number): Sql {
  return sql`position = (select position from ${outbox} where sequence = ${sequence})`;
}

export function retryDeadStatement(
  { deliveries, outbox }: Tables,
  sink: string,
  limit: number,
  sequence: number | undefined,
): Sql {
  const only = sequence === undefined ? raw('') : sql`and ${hasSequence(outbox, sequence)}`;
  return sql`
    with dead as (
      select subject, position from ${deliveries}
      where sink = ${sink} and dead_at is not null ${only}
      order by position limit ${limit} for update skip locked)
    update ${deliveries} delivery set dead_at = null, attempts = 0, queued_at = ${NOW}, due_at = ${NOW}
    from dead
    where delivery.sink = ${sink} and delivery.subject = dead.subject and delivery.position = dead.position`;
}

export function retryStatement(
  { deliveries }: Tables,
  sink: string,
  event: QueuedEvent,
  { delayMs, error }: { readonly delayMs: number; readonly error: string },
): Sql {
  return sql`update ${deliveries} delivery
    set due_at = ${fromNow(delayMs)}, attempts = attempts + 1, lease = null, last_error = ${error}
    from ${givenDeliveries(sink, [event])} where ${IS_GIVEN} and delivery.lease = given.lease`;
}

export function releaseStatement({ deliveries }: Tables, sink: string, events: readonly QueuedEvent[]): Sql {
  return sql`update ${deliveries} delivery set due_at = ${NOW}, lease = null
    from ${givenDeliveries(sink, events)} where ${IS_GIVEN} and delivery.lease = given.lease`;
}

/** Reads the oldest positions only, so the cost does not depend on the number of stored events. */
export function pruneStatement(
  { outbox, deliveries }: Tables,
  before: Date,
  limit: number,
  sinks: readonly string[],
): Sql {
  return sql`
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
    delete from ${outbox} event using old where event.position = old.position`;
}
