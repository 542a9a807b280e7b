// Statements that read whole entries: for an export, for one entry, and for texts that are judged again.
import type { AuditFilter } from '#contracts/audit/filter.js';
import type { ExportRange } from '#contracts/audit/store.js';
import { CONTENT_COLUMNS, EVIDENCE_COLUMNS } from '../database/entry-columns.js';
import { sql, raw, where, type Column, type Sql } from '../database/sql.js';
import { hasTimes } from '../database/list-filters.js';
import type { Tables } from '../database/tables.js';
import { auditConditions, auditJoins, filteredRows, type IdRange } from './audit-list.js';

const columnsOf = (alias: string, columns: readonly Column<never>[]) =>
  raw(columns.map(([name]) => `${alias}.${name}`).join(', '));

const EVIDENCE = columnsOf('e', EVIDENCE_COLUMNS);
const CONTENT = columnsOf('c', CONTENT_COLUMNS);

/** Evidence `e` and, with it, content `c`. */
function selectedColumns({ principals }: Tables, withContent = true) {
  return sql`select e.id, e.writer, e.sequence, ${EVIDENCE},
      (select p.name from ${principals} p where p.id = e.principal_ref) as principal
      ${withContent ? sql`, ${CONTENT}` : raw('')}`;
}

/** The newest of the entries for which the conditions hold. */
export function wholeEntriesQuery(tables: Tables, conditions: readonly Sql[], limit: number): Sql {
  const { evidence, content } = tables;
  return sql`${selectedColumns(tables)}
    from ${evidence} e join ${content} c on c.evidence_id = e.id ${where(conditions)}
    order by e.id desc limit ${limit}`;
}

/** The oldest entries of a range of ids. Times are compared row by row, because an export must not trust an index of ids. */
export function exportQuery(
  tables: Tables,
  { from, to, ...filter }: AuditFilter,
  { after, through }: ExportRange,
  { limit, withContent }: { readonly limit: number; readonly withContent: boolean },
  usesTrigrams: boolean,
): Sql {
  const { evidence } = tables;
  const conditions = [
    ...auditConditions(tables, filter, usesTrigrams),
    ...hasTimes('e.occurred_at', { from, to }),
    sql`e.id > ${after}`,
    sql`e.id <= ${through}`,
  ];
  return sql`${selectedColumns(tables, withContent)}
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
  const within = (from: number, last: number) =>
    where([sql`id > ${from}`, sql`id <= ${last}`, ...hasTimes('occurred_at', filter)]);
  return sql`select case when exists (select from ${evidence} ${within(after, scanned)}) then ${scanned}::bigint
    else (select min(id + 0) - 1 from ${evidence} ${within(scanned, through)}) end as next`;
}

/** Code points of text in one page. */
const MAX_CODE_POINTS = 2_000_000;

export interface TextSize {
  readonly id: number;
  readonly promptLength: number;
}

/** The sizes are read before the texts, so that long texts do not fill the memory. */
export function textSizesQuery(
  tables: Tables,
  filter: AuditFilter,
  ids: IdRange,
  limit: number,
  usesTrigrams: boolean,
): Sql {
  return sql`select e.id, e.prompt_length as "promptLength"
    from ${filteredRows(tables, filter, ids, usesTrigrams)}
    order by e.id desc limit ${limit}`;
}

/** The first of these texts, which fit into a page together; at least one. */
export function firstTexts(sizes: readonly TextSize[]): readonly TextSize[] {
  let total = 0;
  const tooMany = sizes.findIndex(({ promptLength }, index) => {
    total += promptLength;
    return index > 0 && total > MAX_CODE_POINTS;
  });
  return tooMany === -1 ? sizes : sizes.slice(0, tooMany);
}
