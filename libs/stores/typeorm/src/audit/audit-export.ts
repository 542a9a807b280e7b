import type { AuditFilter } from '#contracts/audit/filter.js';
import type { ExportRange } from '#contracts/audit/store.js';
import { CONTENT_COLUMNS, EVIDENCE_COLUMNS } from '../database/entry-columns.js';
import { sql, raw, where, type Column, type Sql } from '../database/sql.js';
import { hasTimes } from '../database/list-filters.js';
import type { Tables } from '../database/tables.js';
import { auditConditions, auditJoins } from './audit-list.js';

const columnsOf = (alias: string, columns: readonly Column<never>[]): Sql =>
  raw(columns.map(([name]) => `${alias}.${name}`).join(', '));

const EVIDENCE = columnsOf('e', EVIDENCE_COLUMNS);
const CONTENT = columnsOf('c', CONTENT_COLUMNS);

/** The oldest entries of a range of ids. Times are compared row by row, because an export must not trust an index of ids. */
export function exportQuery(
  tables: Tables,
  { from, to, ...filter }: AuditFilter,
  { after, through }: ExportRange,
  { limit, withContent }: { readonly limit: number; readonly withContent: boolean },
  usesTrigrams: boolean,
): Sql {
  const { evidence, principals } = tables;
  const conditions = [
    ...auditConditions(tables, filter, usesTrigrams),
    ...hasTimes('e.occurred_at', { from, to }),
    sql`e.id > ${after}`,
    sql`e.id <= ${through}`,
  ];
  return sql`select e.id, e.writer, e.sequence, ${EVIDENCE},
      (select p.name from ${principals} p where p.id = e.principal_ref) as principal
      ${withContent ? sql`, ${CONTENT}` : raw('')}
    from ${evidence} e ${auditJoins(tables, filter, withContent)} ${where(conditions)} order by e.id limit ${limit}`;
}

/**
 * Where an export continues after ids up to `scanned`, none of which it found: there, or before the next entry within its
 * times, which a BRIN index finds. The index of ids would be read upwards to the first one; `id + 0` prevents it.
 */
export function nextExported(
  { evidence }: Tables,
  filter: AuditFilter,
  { after, through }: ExportRange,
  scanned: number,
): Sql {
  const within = (from: number, last: number): Sql =>
    where([sql`id > ${from}`, sql`id <= ${last}`, ...hasTimes('occurred_at', filter)]);
  return sql`select case when exists (select from ${evidence} ${within(after, scanned)}) then ${scanned}::bigint
    else (select min(id + 0) - 1 from ${evidence} ${within(scanned, through)}) end as next`;
}
