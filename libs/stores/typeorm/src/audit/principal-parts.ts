import type { Parameters } from '../parameters.js';
import type { Tables } from '../tables.js';
import type { Batch } from './batch.js';

/**
 * `principal_ids`: the ids of everyone the batch names, as one list in the order of the batch. Only who is new is
 * written. Places in lists stand for joins, because a prepared plan does not know how many rows it will join.
 */
export function principalParts(
  tables: Tables,
  { principals }: Pick<Batch, 'principals'>,
  parameters: Parameters,
): readonly string[] {
  if (principals.size === 0) return [`principal_ids as (select null::bigint[] as list)`];
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
    `principal_ids as (
      select array_agg(id order by digest) as list
      from (select digest, id from known union all select digest, id from added) principal)`,
  ];
}

/** Where in `principal_ids` each of these names stands; `null` for nobody. */
export function principalPlaces(
  { principals }: Pick<Batch, 'principals'>,
  names: readonly (string | null)[],
): readonly (number | null)[] {
  const places = new Map([...principals.keys()].map((name, index) => [name, index + 1]));
  return names.map((name) => (name === null ? null : (places.get(name) ?? null)));
}

export const PRINCIPAL_ID = '(select list from principal_ids)[given.principal]';
