import type { AuditTrendData } from '#client/index.js';
import type { TrendBucket } from '#contracts/audit/filter.js';
import { useLiveReload } from '../../data/live.js';
import { href, useAddress } from '../../data/page.js';
import { useAnswer } from '../../data/requests.js';
import { clock, count, day, lastDays } from '../../text/format.js';
import { OUTCOME_WORDS } from '../../text/names.js';
import { ColumnChart } from '../../ui/charts.js';
import { Segments } from '../../ui/controls.js';
import { Loaded } from '../../ui/screen.js';

const HOUR_MS = 3_600_000;

/** The choices by their names in the address. */
const RANGES = [
  ['24h', '24 hours', 1],
  ['7d', '7 days', 7],
  ['30d', '30 days', 30],
  ['90d', '90 days', 90],
  ['366d', 'a year', 366],
] as const;

/** All decisions by day, or by hour within a day. Each column leads to its rows. */
export function Trend({ now }: { readonly now: string }) {
  const { query, change } = useAddress();
  const [chosen, , days] = RANGES.find(([name]) => name === query['range']) ?? RANGES[2];
  const bucket = days === 1 ? 'hour' : 'day';
  // Whole hours or days, so that the request changes rarely. Days have no end: it is the end of today, with hours that are still to come.
  const window = days === 1 ? lastHours(now) : { from: lastDays(days, Date.parse(now)).from };
  const trend = useAnswer('audit.trend', { query: { control: 'all', bucket, ...window } });
  useLiveReload(trend.reload);
  return (
    <section class="card">
      <div class="split">
        <h2>Decisions of all controls</h2>
        <Segments
          aria-label="Period"
          choices={RANGES.map(([name, label]) => [name, label] as const)}
          chosen={chosen}
          onChoose={(range) => change({ range }, { replace: true })}
        />
      </div>
      <Loaded resource={trend} lines={8}>
        {({ points }) =>
          points.every(({ total }) => total === 0) ? (
            <p class="muted">No decision in this period.</p>
          ) : (
            <Chart points={points} bucket={bucket} />
          )
        }
      </Loaded>
    </section>
  );
}

function lastHours(now: string) {
  const end = Math.ceil(Date.parse(now) / HOUR_MS) * HOUR_MS;
  return { from: new Date(end - 24 * HOUR_MS).toISOString(), to: new Date(end - 1).toISOString() };
}

/** From the bottom of a column. A decision without a finding is allowed, and so is one that was only recorded. */
const LAYERS = [
  { name: 'clean', outcome: 'allowed', label: 'no finding', words: 'without a finding' },
  { name: 'observed', outcome: 'observed', label: OUTCOME_WORDS.observed, words: OUTCOME_WORDS.observed },
  { name: 'blocked', outcome: 'blocked', label: OUTCOME_WORDS.blocked, words: OUTCOME_WORDS.blocked },
] as const;

function Chart({
  points,
  bucket,
}: {
  readonly points: AuditTrendData['points'];
  readonly bucket: TrendBucket;
}) {
  const isByDay = bucket === 'day';
  const columns = points.map(({ date, blocked, observed, allowed }) => {
    const to = isByDay ? date : new Date(Date.parse(date) + HOUR_MS - 1).toISOString();
    const rows = { control: 'all', from: date, to };
    const values = { blocked, observed, clean: allowed - observed };
    return {
      label: isByDay ? day(date) : `${clock(date)} to ${clock(to)}`,
      href: href('/audit', rows),
      parts: LAYERS.map(({ name, outcome, words }) => ({
        name,
        value: values[name],
        href: href('/audit', { ...rows, outcome }),
        text: `${count(values[name])} ${words}`,
      })),
    };
  });
  const layers = LAYERS.toReversed();
  return (
    <ColumnChart
      title={`Decisions by ${bucket}, in UTC`}
      unit={isByDay ? 'Day (UTC)' : 'Hour'}
      columns={columns}
      heads={layers.map(({ label }) => label)}
      legend={layers.map(({ name, label }) => (
        <span key={name} class={`key ${name}`}>
          {label}
        </span>
      ))}
    />
  );
}
