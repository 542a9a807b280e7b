import {
  MAX_TREND_SERIES,
  type AuditFilter,
  type TrendBucket,
  type TrendGroup,
  type TrendPoint,
  type TrendSeries,
} from '#contracts/audit.js';
import type { TimeWindow } from '#contracts/page.js';
import { join, raw, sql, where, type Sql } from '../sql.js';
import type { Tables } from '../tables.js';
import { spanOf, timeText, windowParts } from '../time-windows.js';
import { groupConditions, type GroupFilter } from './audit-list.js';
import { evidenceWithin, inSeconds, inSpan, inUnits, uncounted } from './window-rows.js';

/** A point as a driver returns it. */
export type TrendRow = Readonly<Record<'bucket' | 'total' | 'blocked' | 'observed', string | number>>;

/** Whether the counts can answer: they have no texts and no principals, and use '' for "none". */
export function isCounted({ q, principalId, ruleIds, application }: AuditFilter): boolean {
  return q === undefined && principalId === undefined && ruleIds?.includes('') !== true && application !== '';
}

/**
 * Counts per UTC day or hour, from the counts of the largest units that fit, and from the rows of what remains within a
 * second. Standard SQL, which a test also runs on SQLite. `null`: the window is empty.
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
  const parts = windowParts(spanOf(window), bucket);
  const group = groupConditions(filter);
  const needsGroups =
    filter.ruleIds !== undefined ||
    filter.application !== undefined ||
    (by !== undefined && by !== 'control');
  const daily = needsGroups ? tables.daily : tables.dailyTotals;
  const value = by === undefined ? raw('') : raw(`, coalesce(${by}, '') as value`);
  const label = raw(`substr(time, 1, ${bucket === 'day' ? 10 : 13})`);
  const counted = [
    ...parts.days.map(
      (span) =>
        sql`select day as bucket, outcome, decisions${value} from ${daily} ${where([inSpan('day', span), ...group])}`,
    ),
    ...parts.hours.map((span) => {
      const hour = bucket === 'day' ? raw('substr(hour, 1, 10)') : raw('hour');
      return sql`select ${hour} as bucket, outcome, decisions${value} from ${tables.hourly} ${where([inSpan('hour', span), ...group])}`;
    }),
    ...(
      [
        [tables.fineCounts, inUnits(tables, [], parts)],
        [tables.newCounts, inSeconds(tables, parts)],
      ] as const
    ).flatMap(([table, condition]) =>
      condition === null
        ? []
        : [
            sql`select ${label} as bucket, outcome, decisions${value} from ${table} ${where([condition, ...group])}`,
          ],
    ),
    ...uncounted(tables, parts).map((span) => {
      const own = sql`cast(${timeText(span.from, bucket)} as varchar(13))`;
      const conditions = [...evidenceWithin(span, tables), ...group];
      return sql`select ${own} as bucket, outcome, 1 as decisions${value} from ${tables.evidence} ${where(conditions)}`;
    }),
  ];
  return counted.length === 0 ? null : join(counted, '\nunion all ');
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
