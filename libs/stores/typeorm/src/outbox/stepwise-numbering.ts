import type { EntityManager } from 'typeorm';
import { perform, rowsOf } from '../rows.js';
import type { Tables } from '../tables.js';

const MOST_AT_ONCE = 500;

/** As `numberCommitted`, one statement after the other. Answers whether there may be more. */
export async function numberStepwise(manager: EntityManager, tables: Tables): Promise<boolean> {
  const [state] = await rowsOf<{ last_sequence: string }>(
    manager,
    `select last_sequence from ${tables.outboxState} where id = 1 for update skip locked`,
  );
  if (state === undefined) return false;
  // A statement of its own: it sees all that had committed when the lock was given.
  const fresh = await rowsOf<{ position: string }>(
    manager,
    `select position from ${tables.outbox} where sequence is null order by position limit ${MOST_AT_ONCE}`,
  );
  if (fresh.length === 0) return false;
  const positions = fresh.map(({ position }) => Number(position));
  await perform(
    manager,
    `update ${tables.outbox} set sequence = $1 + field(position, $2) where position = any($2)`,
    [Number(state.last_sequence), positions],
  );
  await perform(manager, `update ${tables.outboxState} set last_sequence = last_sequence + $1 where id = 1`, [
    fresh.length,
  ]);
  return fresh.length === MOST_AT_ONCE;
}
