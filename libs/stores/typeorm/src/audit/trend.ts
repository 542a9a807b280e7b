import {
  MAX_TREND_SERIES,
  type AuditFilter,
  type TrendBucket,
  type TrendGroup,
  type TrendPoint,
  type TrendSeries,
} from '#contracts/audit.js';
import type { TimeWindow } from '#contracts/page.js';
import { withinHour } from '../list-filters.js';
import { join, raw, sql, where, type Sql } from '../sql.js';
import type { Tables } from '../tables.js';
import {
  dayParts,
  dayText,
  hourParts,
  hourText,
  spanOf,
  type DayParts,
  type TimeSpan,
} from '../time-windows.js';
import { groupConditions, type GroupFilter } from './audit-list.js';

/** A point as a driver returns it. */
export type TrendRow = Readonly<Record<'bucket' | 'total' | 'blocked' | 'observed', string | number>>;

/** Whether the counts can answer: they have no texts and no principals, and use '' for "none". */
export function isCounted({ q, principalId, ruleIds, application }: AuditFilter): boolean {
  return q === undefined && principalId === undefined && ruleIds?.includes('') !== true && application !== '';
}

/**
 * Counts per UTC day or hour: whole days and hours from the counts, the edges of the window from the rows. Standard SQL,
 * which a test also runs on SQLite. `null`: the window is empty.
 */
export function trendQuery(
  tables: Tables,
  filter: GroupFilter,
  window: TimeWindow,
  bucket: TrendBucket = 'day',
): Sql | null {
  const counted = countedIn(tables, filter, window, bucket);
  return counted === null ? null : pointsOf(counted);
}

/** Rows with `bucket`, `outcome`, `decisions` and, with `by`, `value`: `''` for none. */
export function countedIn(
  tables: Tables,
  filter: GroupFilter,
  window: TimeWindow,
  bucket: TrendBucket,
  by?: TrendGroup,
): Sql | null {
  const { days, hours, edges } = partsOf(spanOf(window), bucket);
  const group = groupConditions(filter);
  const needsGroups =
    filter.ruleIds !== undefined ||
    filter.application !== undefined ||
    (by !== undefined && by !== 'control');
  const daily = needsGroups ? tables.daily : tables.dailyTotals;
  const value = by === undefined ? raw('') : raw(`, coalesce(${by}, '') as value`);
  const counted = [
    ...days.map(({ from, end }) => {
      const within = sql`day >= ${dayText(from)} and day < ${dayText(end)}`;
      return sql`select day as bucket, outcome, decisions${value} from ${daily} ${where([within, ...group])}`;
    }),
    ...hours.map(({ from, end }) => {
      const within = sql`hour >= ${hourText(from)} and hour < ${hourText(end)}`;
      const label = bucket === 'day' ? raw('substr(hour, 1, 10)') : raw('hour');
      return sql`select ${label} as bucket, outcome, decisions${value} from ${tables.hourly} ${where([within, ...group])}`;
    }),
    ...edges.map((edge) => {
      const conditions = [...withinHour(edge, tables), ...group];
      const label = bucket === 'day' ? raw('day') : sql`cast(${hourText(edge.from)} as varchar(13))`;
      return sql`select ${label} as bucket, outcome, 1 as decisions${value} from ${tables.evidence} ${where(conditions)}`;
    }),
  ];
  return counted.length === 0 ? null : join(counted, '\nunion all ');
}

function partsOf(span: TimeSpan, bucket: TrendBucket): DayParts {
  return bucket === 'day' ? dayParts(span) : { days: [], ...hourParts(span) };
}

const SUMS = raw(`sum(decisions) as total,
      sum(case when outcome = 'blocked' then decisions else 0 end) as blocked,
      sum(case when outcome = 'observed' then decisions else 0 end) as observed`);

/** @param counted rows with `bucket`, `outcome` and `decisions` */
export function pointsOf(counted: Sql): Sql {
  return sql`select bucket, ${SUMS} from (${counted}) counted group by bucket order by bucket`;
}

/** @param counted rows with `bucket`, `outcome`, `decisions` and `value` */
export function seriesPointsOf(counted: Sql): Sql {
  return sql`with counted as (${counted}),
    largest as (
      select value, sum(decisions) as size from counted group by value
      order by size desc, value collate "C" limit ${MAX_TREND_SERIES})
    select value, bucket, ${SUMS} from counted join largest using (value)
    group by value, size, bucket order by size desc, value collate "C", bucket`;
}

export function trendPoint({ bucket, total, blocked, observed }: TrendRow): TrendPoint {
  return { date: String(bucket), total: Number(total), blocked: Number(blocked), observed: Number(observed) };
}

/** @param rows ordered by value */
export function trendSeries(
  rows: readonly (TrendRow & { readonly value: string })[],
): readonly TrendSeries[] {
  const series = new Map<string, TrendPoint[]>();
  for (const row of rows) {
    const points = series.get(row.value) ?? [];
    series.set(row.value, points);
    points.push(trendPoint(row));
  }
  return [...series].map(([value, points]) => ({ value: value === '' ? null : value, points }));
}
