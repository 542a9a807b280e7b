import {
  MAX_TREND_SERIES,
  type AuditFilter,
  type TrendBucket,
  type TrendGroup,
  type TrendPoint,
  type TrendSeries,
} from '#contracts/audit.js';
import { OUTCOMES, type Outcome } from '#contracts/control-mode.js';
import type { TimeWindow } from '#contracts/page.js';
import { join, raw, sql, where, type Sql } from '../sql.js';
import type { Tables } from '../tables.js';
import { spanOf, timeText, windowParts } from '../time-windows.js';
import { groupConditions, type GroupFilter } from './audit-list.js';
import type { CountKind } from './count-folding.js';
import { evidenceWithin, inSeconds, inSpan, inUnits, uncounted } from './window-rows.js';

/** A point as a driver returns it. */
export type TrendRow = Readonly<Record<'bucket' | 'total' | 'blocked' | 'observed', string | number>>;

/** A series as a driver returns it, with its points in any order. */
export interface TrendSeriesRow {
  readonly value: string;
  readonly buckets: readonly string[];
  readonly totals: readonly number[];
  readonly blocked: readonly number[];
  readonly observed: readonly number[];
}

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
  return counted === null ? null : pointsOf(counted, filter);
}

/** Columns for one row of evidence as if it were a row of counts. */
export const ONE_DECISION = raw(
  OUTCOMES.map((outcome) => `case when outcome = '${outcome}' then 1 else 0 end as ${outcome}`).join(', '),
);

/** Rows with `bucket`, `allowed`, `observed`, `blocked` and, with `by`, `value`: `''` for none. */
export function countedIn(
  tables: Tables,
  filter: GroupFilter,
  window: TimeWindow,
  bucket: TrendBucket,
  by?: TrendGroup,
): Sql | null {
  const parts = windowParts(spanOf(window), bucket);
  // Outcomes are columns of the counts.
  const group = groupConditions({ ...filter, blocked: undefined, outcome: undefined });
  const ofKind = [raw(`kind = '${kindFor(filter, by)}'`), ...group];
  const value = by === undefined ? raw('') : raw(`, coalesce(${by}, '') as value`);
  const labelled = (time: string): Sql => raw(`substr(${time}, 1, ${bucket === 'day' ? 10 : 13}) as bucket`);
  const select = (time: string, table: Sql, conditions: readonly Sql[]): Sql =>
    sql`select ${labelled(time)}, allowed, observed, blocked${value} from ${table} ${where(conditions)}`;
  const fine = inUnits(tables, [], parts);
  const isNew = inSeconds(tables, parts);
  const counted = [
    ...parts.days.map((span) => select('day', tables.daily, [...ofKind, inSpan('day', span)])),
    ...parts.hours.map((span) => select('hour', tables.hourly, [...ofKind, inSpan('hour', span)])),
    ...(fine === null ? [] : [select('time', tables.fineCounts, [...ofKind, fine])]),
    ...(isNew === null ? [] : [select('time', tables.newCounts, [...group, isNew])]),
    ...uncounted(tables, parts).map((span) => {
      const own = sql`cast(${timeText(span.from, bucket)} as varchar(13))`;
      const conditions = [...evidenceWithin(span, tables), ...group];
      return sql`select ${own} as bucket, ${ONE_DECISION}${value} from ${tables.evidence} ${where(conditions)}`;
    }),
  ];
  return counted.length === 0 ? null : join(counted, '\nunion all ');
}

function kindFor({ ruleIds, application }: GroupFilter, by?: TrendGroup): CountKind {
  const byRule = ruleIds !== undefined || by === 'rule_id';
  const byApplication = application !== undefined || by === 'application';
  if (byRule) return byApplication ? 'pair' : 'rule';
  return byApplication ? 'application' : 'total';
}

/** Sums of the outcomes that a filter selects. */
function sumsOf({ blocked, outcome }: GroupFilter): Record<'total' | 'blocked' | 'observed', Sql> {
  const selected = OUTCOMES.filter(
    (one) =>
      (outcome === undefined || one === outcome) &&
      (blocked === undefined || blocked === (one === 'blocked')),
  );
  const sum = (some: readonly Outcome[]): Sql =>
    raw(some.length === 0 ? '0' : `sum(${some.join(' + ')})`);
  return {
    total: sum(selected),
    blocked: sum(selected.filter((one) => one === 'blocked')),
    observed: sum(selected.filter((one) => one === 'observed')),
  };
}

/** @param counted rows with `bucket`, `allowed`, `observed` and `blocked` */
export function pointsOf(counted: Sql, filter: GroupFilter): Sql {
  const { total, blocked, observed } = sumsOf(filter);
  return sql`select bucket, ${total} as total, ${blocked} as blocked, ${observed} as observed
    from (${counted}) counted group by bucket having ${total} > 0 order by bucket`;
}

/**
 * One row for each series, because a year of series has thousands of points.
 *
 * @param counted rows with `bucket`, `allowed`, `observed`, `blocked` and `value`
 */
export function seriesOf(counted: Sql, filter: GroupFilter): Sql {
  const { total, blocked, observed } = sumsOf(filter);
  return sql`select value, array_to_json(array_agg(bucket)) as buckets, array_to_json(array_agg(total)) as totals,
      array_to_json(array_agg(blocked)) as blocked, array_to_json(array_agg(observed)) as observed
    from (
      select value, bucket, ${total} as total, ${blocked} as blocked, ${observed} as observed
      from (${counted}) counted group by value, bucket having ${total} > 0) points
    group by value order by sum(total) desc, value collate "C" limit ${MAX_TREND_SERIES}`;
}

export function trendPoint({ bucket, total, blocked, observed }: TrendRow): TrendPoint {
  return { date: String(bucket), total: Number(total), blocked: Number(blocked), observed: Number(observed) };
}

export function trendSeries({ value, buckets, totals, blocked, observed }: TrendSeriesRow): TrendSeries {
  const points = buckets.map((date, index) => ({
    date,
    total: totals[index] ?? 0,
    blocked: blocked[index] ?? 0,
    observed: observed[index] ?? 0,
  }));
  return {
    value: value === '' ? null : value,
    points: points.toSorted((one, other) => (one.date < other.date ? -1 : 1)),
  };
}
