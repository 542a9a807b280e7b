import type { QueuedEvent } from '../../../../contracts/src/outbox.js';
import { scrubText } from '../../../../contracts/src/text.js';
import type { Dialect } from '../dialects/dialect.js';
import type { Parameters } from '../parameters.js';
import type { Tables } from '../tables.js';

/** A long queue behind one event goes on in strides. */
const FREED_AT_ONCE = 100;

const IS_NAMED =
  'delivery.sink = named.sink and delivery.subject = named.subject and delivery.position = named.position and delivery.dead_at is null';

/** How the deliveries of a sink end, or go back into its queue: one statement each. */
export class DeliveryStatements {
  constructor(
    private readonly tables: Tables,
    private readonly dialect: Dialect,
    private readonly parameters: Parameters,
    private readonly sink: string,
  ) {}

  delivered(events: readonly QueuedEvent[]): string {
    return this.ending(
      `delete from ${this.tables.deliveries} delivery using ${this.named(events)}
       where ${IS_NAMED} returning delivery.subject, delivery.position`,
    );
  }

  bury(event: QueuedEvent, error: string): string {
    return this.ending(
      `update ${this.tables.deliveries} delivery
       set dead_at = ${this.dialect.now}, attempts = attempts + 1, lease = null,
         last_error = ${this.parameters.add(scrubText(error))}
       from ${this.named([event])} where ${IS_NAMED} and delivery.lease = named.lease
       returning delivery.subject, delivery.position`,
    );
  }

  buryOld(waitedMs: number, limit: number, error: string): string {
    const { tables, dialect, parameters } = this;
    const sink = parameters.text(this.sink);
    return this.ending(
      `with old as materialized (
         select subject, position from ${tables.deliveries}
         where sink = ${sink} and dead_at is null and (lease is null or due_at <= ${dialect.now})
           and queued_at <= ${dialect.fromNow(`${parameters.add(-waitedMs)}::bigint`)}
         order by position limit ${parameters.add(limit)} for update skip locked)
       update ${tables.deliveries} delivery
       set dead_at = ${dialect.now}, lease = null, last_error = ${parameters.add(scrubText(error))}
       from old
       where delivery.sink = ${sink} and delivery.subject = old.subject and delivery.position = old.position
       returning delivery.subject, delivery.position`,
    );
  }

  retry(event: QueuedEvent, delayMs: number, error: string): string {
    return `
      update ${this.tables.deliveries} delivery
      set due_at = ${this.dialect.fromNow(`${this.parameters.add(delayMs)}::bigint`)},
        attempts = attempts + 1, lease = null, last_error = ${this.parameters.add(scrubText(error))}
      from ${this.named([event])} where ${IS_NAMED} and delivery.lease = named.lease`;
  }

  release(events: readonly QueuedEvent[]): string {
    return `
      update ${this.tables.deliveries} delivery set due_at = ${this.dialect.now}, lease = null
      from ${this.named(events)} where ${IS_NAMED} and delivery.lease = named.lease`;
  }

  private named(events: readonly QueuedEvent[]): string {
    const { parameters } = this;
    const subjects = parameters.add(events.map(({ subject }) => scrubText(subject)));
    const positions = parameters.add(events.map(({ position }) => position));
    const leases = parameters.add(events.map(({ lease }) => lease));
    return `(select ${parameters.text(this.sink)}::text as sink, told.*
      from unnest(${subjects}::text[], ${positions}::bigint[], ${leases}::text[]) as told (subject, position, lease)) named`;
  }

  /**
   * What was held behind the last of a subject to end need wait no longer. The first is freed whatever it looks like:
   * a claim may be holding it back at this moment. Answers how many ended.
   */
  private ending(statement: string): string {
    const sink = this.parameters.text(this.sink);
    return `
      with ended as (${statement}), going_on as (
      update ${this.tables.deliveries} delivery set due_at = ${this.dialect.now}
      from (select distinct subject from ended) freed
      cross join lateral (
        select next.position, row_number() over (order by next.position) as turn
        from ${this.tables.deliveries} next
        where next.sink = ${sink} and next.subject = freed.subject and next.dead_at is null
          and next.position not in (select position from ended)
        order by next.position limit ${FREED_AT_ONCE}) held
      where delivery.sink = ${sink} and delivery.subject = freed.subject and delivery.position = held.position
        and delivery.lease is null and delivery.attempts = 0
        and (held.turn = 1 or delivery.due_at > ${this.dialect.now}))
      select count(*) from ended`;
  }
}
