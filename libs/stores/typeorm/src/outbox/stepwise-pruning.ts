import type { EntityManager } from 'typeorm';
import { perform, rowsOf } from '../rows.js';
import type { Tables } from '../tables.js';

interface Placed {
  readonly position: string;
}

/** As `pruneStatement`, one statement after the other. */
export async function pruneStepwise(
  manager: EntityManager,
  tables: Tables,
  before: Date,
  limit: number,
  sinks: readonly string[],
): Promise<number> {
  const old = await rowsOf<Placed>(
    manager,
    `select oldest.position
     from (select position, occurred_at from ${tables.outbox} order by position limit $1) oldest
     where oldest.occurred_at < $2`,
    [limit, before],
  );
  const positions = old.map(({ position }) => Number(position));
  const waiting = await rowsOf<Placed>(
    manager,
    `select distinct position from ${tables.deliveries}
     where position = any($1) and sink = any($2) and dead_at is null`,
    [positions, sinks],
  );
  const stays = new Set(waiting.map(({ position }) => Number(position)));
  const goes = positions.filter((position) => !stays.has(position));
  if (goes.length === 0) return 0;
  await perform(manager, `delete from ${tables.deliveries} where position = any($1)`, [goes]);
  await perform(manager, `delete from ${tables.outbox} where position = any($1)`, [goes]);
  return goes.length;
}
