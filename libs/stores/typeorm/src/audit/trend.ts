import { MAX_TREND_SERIES, type TrendPoint, type TrendSeries } from '#contracts/audit/counts.js';
import type { AuditFilter, TrendBucket, TrendGroup } from '#contracts/audit/filter.js';
import { OUTCOMES, type Outcome } from '#contracts/common/control-mode.js';
import type { TimeWindow } from '#contracts/common/page.js';
import { join, raw, sql, where, type Sql } from '../database/sql.js';
import type { Tables } from '../database/tables.js';
import {
  coversMinute,
  evidenceWithin,
  inSpan,
  inUnits,
  minuteOf,
  spanOf,
  timeText,
  windowParts,
  type TimeSpan,
} from '../database/time-windows.js';
import { groupConditions, GROUP_FILTERS, type GroupFilter } from './audit-list.js';
import type { CountKind } from './count-folding.js';

/** A point as a driver returns it. */
export type TrendRow = Readonly<Record<'bucket' | 'total' | 'blocked' | 'observed', string | number>>;

/** A series as a driver returns it: counts in any order, and some buckets more than once. */
export interface TrendSeriesRow {
  readonly value: string;
  readonly buckets: readonly string[];
  readonly totals: readonly number[];
  readonly blocked: readonly number[];
  readonly observed: readonly number[];
}

/** Whether the counts can answer: they are by these attributes only, and use '' for "none". */
export function isCounted({ from: _from, to: _to, ...filter }: AuditFilter): boolean {
  const names = Object.keys(filter) as readonly (keyof typeof filter)[];
  const isByRows = names.some(
    (name) => filter[name] !== undefined && !(GROUP_FILTERS as readonly string[]).includes(name),
  );
  return !isByRows && filter.rule_id?.includes('') !== true && filter.application !== '';
}

/** Columns for one row of evidence as if it were a row of counts. */
export const ONE_DECISION = raw(
  OUTCOMES.map((outcome) => `case when outcome = '${outcome}' then 1 else 0 end as ${outcome}`).join(', '),
);

const DECISIONS = raw(
  OUTCOMES.map((outcome) => `count(case when outcome = '${outcome}' then 1 end) as ${outcome}`).join(', '),
);

type CountColumn = 'control' | 'rule_id' | 'application' | 'ruleset_version';

/** What `countsWithin` reads. */
interface CountSelection {
  /** No count of a larger unit is read. */
  readonly largest: TrendBucket;
  readonly kind: CountKind;
  /** Columns of the rows, beside `time`, `allowed`, `observed`, `blocked` and `last_seen_at`. */
  readonly by: readonly CountColumn[];
  readonly conditions?: readonly Sql[];
}

/**
 * Rows that add up to the decisions of a window: counts of the largest units that fit, counts that are not moved to
 * these units yet, and, at both ends, those of the minute or sums over its
 * entries. Standard SQL, which a test also runs on SQLite.
 */
export function countsWithin(
  tables: Tables,
  span: TimeSpan,
  { largest, kind, by, conditions = [] }: CountSelection,
): Sql {
  const { daily, hourly, fineCounts, newCounts, evidence } = tables;
  const { days, hours, minutes, whole, edges } = windowParts(span, largest);
  const columns = raw(by.map((column) => `${column}, `).join(''));
  const counted = (time: string, table: Sql, ...others: readonly Sql[]) =>
    sql`select ${raw(time)} as time, ${columns}allowed, observed, blocked, last_seen_at from ${table}
      ${where([...others, ...conditions])}`;
  const isOf = (one: CountKind) => raw(`kind = '${one}'`);
  const fineKind = kind === 'total' ? 'total' : 'pair';
  return join(
    [
      ...days.map((one) => counted('day', daily, isOf(kind), inSpan('day', one, 'day'))),
      ...hours.map((one) => counted('hour', hourly, isOf(kind), inSpan('hour', one, 'hour'))),
      ...(minutes.length === 0 ? [] : [counted('time', fineCounts, isOf(fineKind), inUnits(minutes))]),
      counted('time', newCounts, inSpan('time', whole, 'minute')),
      ...edges.flatMap((edge) => {
        const covers = coversMinute(edge, tables);
        if (covers === null) return [];
        return [
          counted('time', fineCounts, isOf(fineKind), minuteOf(edge), covers),
          counted('time', newCounts, sql`time = ${timeText(edge.from, 'minute')}`, covers),
        ];
      }),
      ...edges.map(
        (
          edge,
        ) => sql`select cast(${timeText(edge.from, 'minute')} as varchar(16)) as time, ${columns}${DECISIONS},
          max(occurred_at) as last_seen_at from ${evidence} ${where([...evidenceWithin(edge, tables), ...conditions])}
          ${by.length === 0 ? raw('') : raw(`group by ${by.join(', ')}`)}`,
      ),
    ],
    '\nunion all ',
  );
}

/** Counts per UTC day or hour. */
export function trendQuery(
  tables: Tables,
  filter: GroupFilter,
  window: TimeWindow,
  bucket: TrendBucket = 'day',
): Sql {
  return pointsOf(countedIn(tables, filter, window, bucket), filter);
}

/** Texts are compared by their bytes, which is faster and the same in every database. */
export const valueOf = (column: string): Sql => raw(`, coalesce(${column}, '') collate "C" as value`);

/** Rows with `bucket`, `allowed`, `observed`, `blocked` and, with `by`, `value`: `''` for none. */
export function countedIn(
  tables: Tables,
  filter: GroupFilter,
  window: TimeWindow,
  bucket: TrendBucket,
  by?: TrendGroup,
): Sql {
  // Outcomes are columns of the counts.
  const conditions = groupConditions({ ...filter, blocked: undefined, outcome: undefined });
  const counts = countsWithin(tables, spanOf(window), {
    largest: bucket,
    kind: kindFor(filter, by),
    by: by === undefined ? [] : [by],
    conditions,
  });
  const label = raw(`substr(time, 1, ${bucket === 'day' ? 10 : 13})`);
  const value = by === undefined ? raw('') : valueOf(by);
  return sql`select ${label} as bucket, allowed, observed, blocked${value} from (${counts}) counts`;
}

function kindFor({ rule_id, application }: GroupFilter, by?: TrendGroup): CountKind {
  const byRule = rule_id !== undefined || by === 'rule_id';
  const byApplication = application !== undefined || by === 'application';
  if (byRule) return byApplication ? 'pair' : 'rule';
  return byApplication ? 'application' : 'total';
}

/** The counts of the outcomes that a filter selects, of one row. */
function selectedCounts({ blocked, outcome }: GroupFilter): Record<'total' | 'blocked' | 'observed', Sql> {
  const selected = OUTCOMES.filter(
    (one) =>
      (outcome === undefined || one === outcome) &&
      (blocked === undefined || blocked === (one === 'blocked')),
  );
  const count = (some: readonly Outcome[]) => raw(some.length === 0 ? '0' : some.join(' + '));
  return {
    total: count(selected),
    blocked: count(selected.filter((one) => one === 'blocked')),
    observed: count(selected.filter((one) => one === 'observed')),
  };
}

/** @param counted rows with `bucket`, `allowed`, `observed` and `blocked` */
export function pointsOf(counted: Sql, filter: GroupFilter): Sql {
  const { total, blocked, observed } = selectedCounts(filter);
  return sql`select bucket, sum(${total}) as total, sum(${blocked}) as blocked, sum(${observed}) as observed
    from (${counted}) counted group by bucket having sum(${total}) > 0 order by bucket`;
}

/**
 * One row with all counts for each series, because a year of series has thousands of points.
 *
 * @param counted rows with `bucket`, `allowed`, `observed`, `blocked` and `value`; few for each bucket and value
 */
export function seriesOf(counted: Sql, filter: GroupFilter): Sql {
  const { total, blocked, observed } = selectedCounts(filter);
  return sql`select value, array_to_json(array_agg(bucket)) as buckets,
      array_to_json(array_agg(${total})) as totals, array_to_json(array_agg(${blocked})) as blocked,
      array_to_json(array_agg(${observed})) as observed
    from (${counted}) counted
    group by value having sum(${total}) > 0 order by sum(${total}) desc, value limit ${MAX_TREND_SERIES}`;
}
/** Adds up rows of the same bucket and value. */
export function summed(counted: Sql): Sql {
  return sql`select bucket, sum(allowed) as allowed, sum(observed) as observed, sum(blocked) as blocked, value
    from (${counted}) each group by bucket, value`;
}

export function trendPoint({ bucket, total, blocked, observed }: TrendRow): TrendPoint {
  return { date: String(bucket), total: Number(total), blocked: Number(blocked), observed: Number(observed) };
}

export function trendSeries({ value, buckets, totals, blocked, observed }: TrendSeriesRow): TrendSeries {
  const points = new Map<string, { date: string; total: number; blocked: number; observed: number }>();
  buckets.forEach((date, index) => {
    const point = points.get(date) ?? { date, total: 0, blocked: 0, observed: 0 };
    points.set(date, point);
    point.total += totals[index] ?? 0;
    point.blocked += blocked[index] ?? 0;
    point.observed += observed[index] ?? 0;
  });
  return {
    value: value === '' ? null : value,
    points: [...points.values()]
      .filter(({ total }) => total > 0)
      .toSorted((one, other) => (one.date < other.date ? -1 : 1)),
  };
}
