import type { Dialect } from '../dialects/dialect.js';
import type { Parameters } from '../parameters.js';
import type { Tables } from '../tables.js';
import { EVENT_COLUMNS } from './outbox.rows.js';

export interface ClaimRequest {
  readonly sink: string;
  readonly limit: number;
  readonly leaseMs: number;
  readonly lease: string;
}

/**
 * Of the due deliveries of a sink, those are leased that wait for nobody: of each subject, up to the first one that
 * is not due or that another claim is just taking. Those behind such a blocker become due when it does, so that the
 * next claim need not look at them again; unless somebody is just ending the blocker, who could not know of them.
 */
export function claimStatement(
  tables: Tables,
  dialect: Dialect,
  { sink, limit, leaseMs, lease }: ClaimRequest,
  parameters: Parameters,
): string {
  const ofSink = `delivery.sink = ${parameters.text(sink)} and delivery.dead_at is null`;
  return `
    with due as materialized (
      select delivery.subject, delivery.position from ${tables.deliveries} delivery
      where ${ofSink} and delivery.due_at <= ${dialect.now}
      order by delivery.due_at, delivery.position limit ${parameters.add(limit)} for update skip locked
    ), blocked as materialized (
      select waiting.subject, blocker.position
      from (select distinct subject from due) waiting
      cross join lateral (
        select delivery.position from ${tables.deliveries} delivery
        where ${ofSink} and delivery.subject = waiting.subject
          and delivery.position not in (select position from due)
        order by delivery.position limit 1) blocker
    ), blocking as materialized (
      select delivery.subject, delivery.position, delivery.due_at
      from ${tables.deliveries} delivery
      join blocked on blocked.subject = delivery.subject and blocked.position = delivery.position
      where ${ofSink} for update of delivery skip locked
    ), held as (
      update ${tables.deliveries} delivery set due_at = blocking.due_at, lease = null
      from due join blocking on blocking.subject = due.subject and blocking.position < due.position
      where ${ofSink} and delivery.subject = due.subject and delivery.position = due.position
        and delivery.due_at < blocking.due_at
    ), claimed as (
      update ${tables.deliveries} delivery
      set due_at = ${dialect.fromNow(`${parameters.add(leaseMs)}::bigint`)}, lease = ${parameters.add(lease)}
      from due left join blocked on blocked.subject = due.subject
      where ${ofSink} and delivery.subject = due.subject and delivery.position = due.position
        and (blocked.position is null or due.position < blocked.position)
      returning delivery.position, delivery.attempts, delivery.queued_at
    )
    select ${EVENT_COLUMNS.map((column) => `event.${column}`).join(', ')}, claimed.attempts, claimed.queued_at
    from claimed join ${tables.outbox} event on event.position = claimed.position
    order by event.position`;
}
