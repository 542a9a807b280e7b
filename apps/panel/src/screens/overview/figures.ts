/** What the overview reads: exact counts of a range and of the same time a week earlier. */
import type { AuditFacetsData, AuditTrendData } from '#client/index.js';
import type { ControlKey } from '#contracts/common/control-mode.js';
import type { Query } from '../../data/page.js';
import { rangeOf, rangeQuery } from '../../data/range.js';
import { client } from '../../data/session.js';
import { noteOverview } from '../../data/waiting.js';
import { DAY_MS } from '../../text/format.js';

const WEEK_MS = 7 * DAY_MS;

export type Figures = Awaited<ReturnType<typeof readFigures>>;

/** A relative range ends at the time of the server, so that both ranges are equally long. */
export async function readFigures(query: Query, signal: AbortSignal) {
  const { data: overview } = await client.call('overview', { signal });
  noteOverview(overview);
  const range = rangeOf(query);
  const span = { to: overview.as_of, ...range };
  const [[now, weekBefore], { data: calls }] = await Promise.all([
    trends(span, { by: 'control' }, signal),
    client.call('audit.facets', { query: { ...OF_CALLS, field: 'outcome', ...rangeQuery(range) }, signal }),
  ]);
  return { overview, range, now, weekBefore, calls };
}

/** The calls that approvals judged. A trend counts every step of an approval. */
export const OF_CALLS = { control: 'hitl', origin: 'tool_call' } as const;

/** Decisions of a time and of the same time a week earlier. */
export function trends(
  { from, to }: { readonly from: string; readonly to: string },
  more: { readonly by: 'control' | 'rule_id'; readonly control?: ControlKey },
  signal: AbortSignal,
): Promise<readonly [now: AuditTrendData, weekBefore: AuditTrendData]> {
  const bucket = Date.parse(to) - Date.parse(from) > 1.1 * DAY_MS ? 'day' : 'hour';
  const read = async (earlier: number) => {
    const [start, end] = [from, to].map((time) => new Date(Date.parse(time) - earlier).toISOString());
    const query = { control: 'all', bucket, from: start, to: end, ...more };
    return (await client.call('audit.trend', { query, signal })).data;
  };
  return Promise.all([read(0), read(WEEK_MS)]);
}

/** The decisions of one value of a trend. */
export function sumsOf({ series = [] }: Pick<AuditTrendData, 'series'>, value: string) {
  const points = series.find((each) => each.value === value)?.points ?? [];
  const sum = (name: 'total' | 'blocked' | 'observed') => points.reduce((all, point) => all + point[name], 0);
  return { total: sum('total'), blocked: sum('blocked'), observed: sum('observed') };
}

/** The decisions of a control by the units of the trend. */
export function lineOf({ points, series = [] }: AuditTrendData, control: ControlKey): readonly number[] {
  const own = series.find(({ value }) => value === control)?.points;
  return points.map(({ date }) => own?.find((point) => point.date === date)?.total ?? 0);
}

/** `null` if not all decisions were counted. */
export function countsOf({ values, partial }: AuditFacetsData) {
  const counts = Object.fromEntries(values.map(({ value, count }) => [value, count]));
  const { blocked = 0, observed = 0, allowed = 0 } = counts;
  return partial ? null : { total: blocked + observed + allowed, blocked, observed };
}
