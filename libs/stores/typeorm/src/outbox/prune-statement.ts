import type { Parameters } from '../parameters.js';
import type { Tables } from '../tables.js';

/** Looks at the oldest positions only, so that it costs the same however much is kept. */
export function pruneStatement(
  tables: Tables,
  before: string,
  limit: number,
  sinks: readonly string[],
  parameters: Parameters,
): string {
  return `
    with oldest as (
      select position, occurred_at from ${tables.outbox}
      order by position limit ${parameters.add(limit)}
    ), old as (
      select position from oldest
      where occurred_at < ${parameters.add(before)}::timestamptz
        and not exists (
          select 1 from ${tables.deliveries} delivery
          where delivery.position = oldest.position and delivery.dead_at is null
            and delivery.sink = any(${parameters.add(sinks)}::text[]))
    ), left_over as (
      delete from ${tables.deliveries} delivery using old where delivery.position = old.position
    ), pruned as (
      delete from ${tables.outbox} event using old where event.position = old.position returning 1
    )
    select count(*) from pruned`;
}
