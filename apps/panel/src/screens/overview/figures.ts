/** What the overview reads: exact counts of a range and of the same time a week earlier. */
import type { AuditTrendData } from '#client/index.js';
import type { ControlKey } from '#contracts/common/control-mode.js';
import type { Query } from '../../data/page.js';
import { rangeOf } from '../../data/range.js';
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
  const [now, weekBefore] = await trends({ to: overview.as_of, ...range }, { by: 'control' }, signal);
  return { overview, range, now, weekBefore };
}

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
