import type { Parameters } from '../parameters.js';
import type { Tables } from '../tables.js';
import type { Batch } from './batch.js';

/** `principal`: digest and id of everyone the batch names, as a part of its statement. Only who is new is written. */
export function principalParts(
  tables: Tables,
  { principals }: Pick<Batch, 'principals'>,
  parameters: Parameters,
): readonly string[] {
  if (principals.size === 0)
    return [`principal as (select null::bytea as digest, null::bigint as id where false)`];
  const given = parameters.lists([
    ['bytea', [...principals.values()]],
    ['text', [...principals.keys()]],
  ]);
  return [
    `named as (select * from unnest(${given}) as named (digest, name))`,
    `known as (select known.digest, known.id from named join ${tables.principals} known using (digest))`,
    // Another batch may have written the same name in the meantime: then its row is the one.
    `added as (
      insert into ${tables.principals} (digest, name)
      select digest, name from named where digest not in (select digest from known) order by digest
      on conflict (digest) do update set name = excluded.name
      returning digest, id)`,
    `principal as (select digest, id from known union all select digest, id from added)`,
  ];
}
