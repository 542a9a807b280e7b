import { MAX_TREND_SERIES, type TrendPoint, type TrendSeries } from '#contracts/audit/counts.js';
import type { AuditFilter, TrendBucket, TrendGroup } from '#contracts/audit/filter.js';
import { OUTCOMES, type Outcome } from '#contracts/common/control-mode.js';
import type { TimeWindow } from '#contracts/common/page.js';
import { join, raw, sql, where, type Sql } from '../database/sql.js';
import type { Tables } from '../database/tables.js';
import { spanOf, timeText, windowParts } from '../database/time-windows.js';
import { groupConditions, type GroupFilter } from './audit-list.js';
import type { CountKind, FineKind } from './count-folding.js';
import { evidenceWithin, inSeconds, inSpan, inUnits, uncounted } from './window-rows.js';

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

/** Whether the counts can answer: they have no texts and no principals, and use '' for "none". */
export function isCounted({ q, principal_id, rule_id, application }: AuditFilter): boolean {
  return (
    q === undefined && principal_id === undefined && rule_id?.includes('') !== true && application !== ''
  );
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

/** Texts are compared by their bytes, which is faster and the same in every database. */
export const valueOf = (column: string): Sql => raw(`, coalesce(${column}, '') collate "C" as value`);

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
  const kind = kindFor(filter, by);
  const fineKind: FineKind = kind === 'total' ? 'total' : 'pair';
  const ofKind = (one: CountKind): readonly Sql[] => [raw(`kind = '${one}'`), ...group];
  const value = by === undefined ? raw('') : valueOf(by);
  const labelled = (time: string): Sql => raw(`substr(${time}, 1, ${bucket === 'day' ? 10 : 13}) as bucket`);
  const select = (time: string, table: Sql, conditions: readonly Sql[]): Sql =>
    sql`select ${labelled(time)}, allowed, observed, blocked${value} from ${table} ${where(conditions)}`;
  const fine = inUnits(tables, [], parts);
  const isNew = inSeconds(tables, parts);
  const counted = [
    ...parts.days.map((span) => select('day', tables.daily, [...ofKind(kind), inSpan('day', span)])),
    ...parts.hours.map((span) => select('hour', tables.hourly, [...ofKind(kind), inSpan('hour', span)])),
    ...(fine === null ? [] : [select('time', tables.fineCounts, [...ofKind(fineKind), fine])]),
    ...(isNew === null ? [] : [select('time', tables.newCounts, [...group, isNew])]),
    ...uncounted(tables, parts).map((span) => {
      const own = sql`cast(${timeText(span.from, bucket)} as varchar(13))`;
      const conditions = [...evidenceWithin(span, tables), ...group];
      return sql`select ${own} as bucket, ${ONE_DECISION}${value} from ${tables.evidence} ${where(conditions)}`;
    }),
  ];
  return counted.length === 0 ? null : join(counted, '\nunion all ');
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
  const count = (some: readonly Outcome[]): Sql => raw(some.length === 0 ? '0' : some.join(' + '));
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
