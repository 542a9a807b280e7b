import type { AuditFilter, TrendPoint } from '../../../../contracts/src/audit.js';
import type { TimeWindow } from '../../../../contracts/src/page.js';
import { whereAll } from '../pages.js';
import type { Parameters } from '../parameters.js';
import type { Tables } from '../tables.js';
import { dayParts, dayText, hourText, spanOf } from '../time-parts.js';
import { lineConditions, type LineFilter } from './audit-conditions.js';
import { withinEdge } from './id-bounds.js';

/** A point as a driver hands it over: sums come as numbers or as text. */
export type TrendRow = Readonly<Record<'day' | 'total' | 'blocked' | 'observed', string | number>>;

/** Whether folded counts know all that is asked: texts and principals they do not, and '' they take for none. */
export function isFolded({ q, principalId, ruleId, application }: AuditFilter): boolean {
  return q === undefined && principalId === undefined && ruleId !== '' && application !== '';
}

/**
 * Counts per UTC day: whole days and whole hours from what was folded, the edges of the window from the rows. One text
 * for every SQL database.
 */
export function trendQuery(
  tables: Tables,
  filter: LineFilter,
  window: TimeWindow,
  parameters: Parameters,
): string | null {
  const { days, hours, edges } = dayParts(spanOf(window));
  const line = lineConditions(filter, parameters);
  const totalled = filter.ruleId === undefined && filter.application === undefined;
  const folded = totalled ? tables.dailyTotals : tables.daily;
  const counted = [
    ...days.map(({ from, end }) => {
      const within = `day >= ${parameters.add(dayText(from))} and day < ${parameters.add(dayText(end))}`;
      return `select day, outcome, decisions from ${folded} ${whereAll([within, ...line])}`;
    }),
    ...hours.map(({ from, end }) => {
      const within = `hour >= ${parameters.add(hourText(from))} and hour < ${parameters.add(hourText(end))}`;
      return `select substr(hour, 1, 10) as day, outcome, decisions from ${tables.hourly} ${whereAll([within, ...line])}`;
    }),
    ...edges.map((edge) => {
      const within = withinEdge(edge, { id: 'id', time: 'occurred_at' }, tables, parameters);
      return `select day, outcome, 1 as decisions from ${tables.evidence} ${whereAll([...within, ...line])}`;
    }),
  ];
  return counted.length === 0 ? null : pointsOf(counted.join('\nunion all '));
}

/** The same over rows that each count for one. */
export function pointsOf(counted: string): string {
  return `select day, sum(decisions) as total,
      sum(case when outcome = 'blocked' then decisions else 0 end) as blocked,
      sum(case when outcome = 'observed' then decisions else 0 end) as observed
    from (${counted}) counted
    group by day order by day`;
}

export function trendPoint({ day, total, blocked, observed }: TrendRow): TrendPoint {
  return {
    date: String(day),
    total: Number(total),
    blocked: Number(blocked),
    observed: Number(observed),
  };
}
