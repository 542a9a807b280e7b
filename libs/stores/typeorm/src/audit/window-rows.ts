import { join, raw, sql, type Sql } from '../database/sql.js';
import type { Tables } from '../database/tables.js';
import {
  timeText,
  type Edge,
  type TimeSpan,
  type TimeUnit,
  type UnitSpan,
  type WindowParts,
} from '../database/time-windows.js';

/** Standard SQL, because the trend query uses it. */
export function inSpan(column: 'day' | 'hour' | 'time', { unit, from, end }: UnitSpan): Sql {
  return sql`${raw(column)} >= ${timeText(from, unit)} and ${raw(column)} < ${timeText(end, unit)}`;
}

/**
 * The whole units of a window in a table with a column `unit`. `null`: there are none.
 *
 * @param larger the hours and days of the window that the table has
 */
export function inUnits(
  tables: Tables,
  larger: readonly UnitSpan[],
  { minutes, edges }: WindowParts,
): Sql | null {
  const each = [
    ...[...larger, ...minutes].map((span) => sql`unit = ${span.unit} and ${inSpan('time', span)}`),
    ...edges.flatMap((edge) =>
      edge.seconds.map(
        (span) => sql`unit = ${span.unit} and ${inSpan('time', span)} and ${hasSeconds(edge, tables)}`,
      ),
    ),
  ];
  return each.length === 0 ? null : sql`(${join(each, ' or ')})`;
}

/** The whole seconds of a window among the counts that are not moved to larger units yet. `null`: there are none. */
export function inSeconds(tables: Tables, { whole, edges }: WindowParts): Sql | null {
  const each = [
    ...whole.map((span) => inSpan('time', { unit: 'second', ...span })),
    ...edges.flatMap((edge) =>
      edge.seconds.map((span) => sql`${inSpan('time', span)} and ${hasSeconds(edge, tables)}`),
    ),
  ];
  return each.length === 0 ? null : sql`(${join(each, ' or ')})`;
}

/** Spans of a window without counts, each with a condition for the statement to read it. */
interface UncountedSpan extends TimeSpan {
  readonly isRead: Sql;
  /** The ids within this unit are known. */
  readonly unit: TimeUnit;
}

/**
 * The remainder within a second is read by row. If the counts of seconds are deleted, the rows of the whole edge are
 * read.
 */
export function uncounted(tables: Tables, { edges }: WindowParts): readonly UncountedSpan[] {
  return edges.flatMap((edge): readonly UncountedSpan[] => [
    ...edge.rest.map((span) => ({ ...span, isRead: hasSeconds(edge, tables), unit: 'second' as const })),
    { from: edge.from, end: edge.end, isRead: sql`not ${hasSeconds(edge, tables)}`, unit: 'minute' },
  ]);
}

/** Conditions on evidence. Ids are limited, because no index has times. */
export function evidenceWithin(
  { from, end, isRead, unit }: UncountedSpan,
  { idRanges }: Tables,
): readonly Sql[] {
  const range = sql`${idRanges} where unit = ${unit} and time = ${timeText(from, unit)}`;
  return [
    isRead,
    sql`id >= (select min_id from ${range})`,
    sql`id <= (select max_id from ${range})`,
    sql`occurred_at >= ${from}`,
    sql`occurred_at < ${end}`,
  ];
}

function hasSeconds({ from }: Edge, { countState }: Tables): Sql {
  return sql`(${timeText(from, 'second')} >= (select seconds_since from ${countState}))`;
}
