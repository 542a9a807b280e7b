import type { AuditFilter, TrendBucket, TrendPoint } from '#contracts/audit.js';
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
export function isCounted({ q, principalId, ruleId, application }: AuditFilter): boolean {
  return q === undefined && principalId === undefined && ruleId !== '' && application !== '';
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
  const { days, hours, edges } = partsOf(spanOf(window), bucket);
  const group = groupConditions(filter);
  const needsGroups = filter.ruleId !== undefined || filter.application !== undefined;
  const daily = needsGroups ? tables.daily : tables.dailyTotals;
  const counted = [
    ...days.map(({ from, end }) => {
      const within = sql`day >= ${dayText(from)} and day < ${dayText(end)}`;
      return sql`select day as bucket, outcome, decisions from ${daily} ${where([within, ...group])}`;
    }),
    ...hours.map(({ from, end }) => {
      const within = sql`hour >= ${hourText(from)} and hour < ${hourText(end)}`;
      const label = bucket === 'day' ? raw('substr(hour, 1, 10)') : raw('hour');
      return sql`select ${label} as bucket, outcome, decisions from ${tables.hourly} ${where([within, ...group])}`;
    }),
    ...edges.map((edge) => {
      const conditions = [...withinHour(edge, tables), ...group];
      const label = bucket === 'day' ? raw('day') : sql`cast(${hourText(edge.from)} as varchar(13))`;
      return sql`select ${label} as bucket, outcome, 1 as decisions from ${tables.evidence} ${where(conditions)}`;
    }),
  ];
  return counted.length === 0 ? null : pointsOf(join(counted, '\nunion all '));
}

function partsOf(span: TimeSpan, bucket: TrendBucket): DayParts {
  return bucket === 'day' ? dayParts(span) : { days: [], ...hourParts(span) };
}

/** @param counted rows with `bucket`, `outcome` and `decisions` */
export function pointsOf(counted: Sql): Sql {
  return sql`select bucket, sum(decisions) as total,
      sum(case when outcome = 'blocked' then decisions else 0 end) as blocked,
      sum(case when outcome = 'observed' then decisions else 0 end) as observed
    from (${counted}) counted
    group by bucket order by bucket`;
}

export function trendPoint({ bucket, total, blocked, observed }: TrendRow): TrendPoint {
  return { date: String(bucket), total: Number(total), blocked: Number(blocked), observed: Number(observed) };
}
