import { withinEdge } from '../audit/id-bounds.js';
import type { Dialect } from '../dialects/dialect.js';
import { whereAll } from '../pages.js';
import type { Parameters } from '../parameters.js';
import type { Tables } from '../tables.js';
import { hourParts, hourText, type HourParts, type TimeSpan } from '../time-parts.js';

const HOUR_MS = 3_600_000;
export const SPARK_HOURS = 12;

/** One line of the answer; `word` is an outcome, an hour or a version of the rules, as `what` says. */
export interface ActivityRow {
  readonly what: 'outcome' | 'hour' | 'ruleset' | 'waiting';
  readonly control: string;
  readonly word: string;
  readonly count: string;
  readonly latest: Date | null;
}

/** After `asOf` − 24 h, up to and including `asOf`. */
export function trailingDay(asOf: Date): HourParts {
  const end = asOf.getTime() + 1;
  return hourParts({ from: new Date(end - 24 * HOUR_MS), end: new Date(end) });
}

/** The UTC clock hours of a spark, oldest first; `asOf` lies in the last one. */
export function sparkHours(asOf: Date): readonly string[] {
  return Array.from({ length: SPARK_HOURS }, (_, index) =>
    hourText(new Date(asOf.getTime() - (SPARK_HOURS - 1 - index) * HOUR_MS)),
  );
}

/** All that an overview shows, in one statement: whole hours as they were folded, the edges of the day from the rows. */
export function activityQuery(tables: Tables, asOf: Date, parameters: Parameters): string {
  const { hours, edges } = trailingDay(asOf);
  const within = hours.map((span) => hoursWithin(span, parameters)).join(' or ') || 'false';
  const [oldest, latest] = [sparkHours(asOf)[0] ?? '', hourText(asOf)].map((hour) => parameters.add(hour));
  return `
    with edges as (${edgesOf('control, outcome, ruleset_version, occurred_at', tables, edges, parameters)})
    select 'outcome' as what, control, outcome as word, sum(decisions) as count,
      null::timestamptz as latest
    from (
      select control, outcome, decisions from ${tables.hourly} where ${within}
      union all select control, outcome, 1 from edges) decided
    group by control, outcome
    union all
    select 'hour', control, hour, sum(decisions), null
    from ${tables.hourly} where hour >= ${oldest} and hour <= ${latest} group by control, hour
    union all
    select 'ruleset', '', ruleset_version, sum(attempts), max(last_seen_at)
    from (
      select ruleset_version, attempts, last_seen_at from ${tables.rulesets} where ${within}
      union all select ruleset_version, 1, occurred_at from edges where control = 'input_screen') screened
    group by ruleset_version`;
}

/** One more line: how many approvals wait. */
export function waitingQuery({ now }: Dialect, tables: Tables): string {
  return `select 'waiting' as what, '' as control, '' as word, count(*) as count,
      null::timestamptz as latest
    from ${tables.approvals} where status = 'pending' and expires_at > ${now}`;
}

export function hoursWithin({ from, end }: TimeSpan, parameters: Parameters): string {
  return `hour >= ${parameters.add(hourText(from))} and hour < ${parameters.add(hourText(end))}`;
}

/** Evidence within the edges, which has to be counted row by row. */
export function edgesOf(
  columns: string,
  tables: Tables,
  edges: readonly TimeSpan[],
  parameters: Parameters,
): string {
  const column = { id: 'id', time: 'occurred_at' };
  const some = edges.map(
    (edge) =>
      `select ${columns} from ${tables.evidence} ${whereAll(withinEdge(edge, column, tables, parameters))}`,
  );
  return some.join('\nunion all ') || `select ${columns} from ${tables.evidence} where false`;
}
