import type { EntityManager } from 'typeorm';
import { rowsOf } from '../rows.js';
import type { Tables } from '../tables.js';

const MOST_AT_ONCE = 2_000;

/**
 * Numbers what has been committed since the last time. One at a time, and each commits before the next begins: no
 * number ever appears below one that could be read. Whoever finds another one numbering leaves it to that one.
 * Answers whether there may be more.
 */
export async function numberCommitted(manager: EntityManager, tables: Tables): Promise<boolean> {
  const [state] = await rowsOf<{ last_sequence: string }>(
    manager,
    `select last_sequence from ${tables.outboxState} where id = 1 for update skip locked`,
  );
  if (state === undefined) return false;
  // A statement of its own: it sees all that had committed when the lock was given.
  const [numbered] = await rowsOf<{ count: string }>(
    manager,
    `with fresh as materialized (
       select position from ${tables.outbox} where sequence is null order by position limit $1
     ), numbered as (
       update ${tables.outbox} event set sequence = $2::bigint + fresh.turn
       from (select position, row_number() over (order by position) as turn from fresh) fresh
       where event.position = fresh.position
       returning event.sequence
     ), moved as (
       update ${tables.outboxState} set last_sequence = last_sequence + (select count(*) from fresh) where id = 1
     )
     select count(*) from numbered`,
    [MOST_AT_ONCE, state.last_sequence],
  );
  return Number(numbered?.count) === MOST_AT_ONCE;
}

export async function hasUnnumbered(manager: EntityManager, tables: Tables): Promise<boolean> {
  const found = await rowsOf(manager, `select 1 from ${tables.outbox} where sequence is null limit 1`);
  return found.length > 0;
}
