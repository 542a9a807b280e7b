import { mostFrequent, type Facets } from '#contracts/audit/counts.js';
import type { AuditFilter } from '#contracts/audit/filter.js';
import type { FacetField } from '#contracts/audit/record.js';
import { raw, sql, type Sql } from '../database/sql.js';
import type { Tables } from '../database/tables.js';
import { filteredRows, type IdRange } from './audit-list.js';
import type { SearchedIds } from './text-search.js';

interface FacetLimits {
  /** Ids that one statement reads. */
  readonly window: number;
  /** No window starts after this time … */
  readonly milliseconds: number;
  /** … and after at least this many ids … */
  readonly least: number;
  /** … or after this many ids. */
  readonly most: number;
}

const LIMITS: FacetLimits = { window: 20_000, milliseconds: 1_000, least: 100_000, most: 1_000_000 };

export interface FacetRow {
  readonly value: string | null;
  readonly count: string | number;
}

/** Counts windows of ids downwards until the range or the limits are used up. */
export async function countFacets(
  ids: SearchedIds | null,
  countsOf: (from: number, below: number) => Promise<readonly FacetRow[]>,
  limits = LIMITS,
): Promise<Facets> {
  const counts = new Map<string | null, number>();
  if (ids === null) return { values: [] };
  const startedAt = performance.now();
  const start = ids.highest + 1;
  let below = start;
  while (below > ids.lowest) {
    const read = start - below;
    const isLate = performance.now() - startedAt > limits.milliseconds;
    if (read >= limits.most || (isLate && read >= limits.least)) break;
    const from = Math.max(below - limits.window, ids.lowest);
    for (const { value, count } of await countsOf(from, below))
      counts.set(value, (counts.get(value) ?? 0) + Number(count));
    below = from;
  }
  return { values: mostFrequent(counts), ...(below > ids.lowest && { partial: true }) };
}

export function facetQuery(
  tables: Tables,
  field: FacetField,
  filter: AuditFilter,
  ids: IdRange,
  usesTrigrams: boolean,
): Sql {
  const column = raw(field === 'principal_id' ? 'e.principal_ref' : `e.${field}`);
  const shown =
    field === 'principal_id'
      ? sql`(select p.name from ${tables.principals} p where p.id = counted.value)`
      : raw('counted.value');
  return sql`select ${shown} as value, counted.count from (
      select ${column} as value, count(*) as count
      from ${filteredRows(tables, filter, ids, usesTrigrams)}
      group by ${column}) counted`;
}
