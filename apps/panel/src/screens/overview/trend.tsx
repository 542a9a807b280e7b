import type { AuditTrendData } from '#client/index.js';
import { useAddress } from '../../data/address.js';
import { href } from '../../data/page.js';
import { useLiveReload } from '../../data/live.js';
import { useResource } from '../../data/resource.js';
import { client } from '../../data/session.js';
import { clock, count, day } from '../../text/format.js';
import { StackedColumns, type Column } from '../../ui/charts.js';
import { lastDays } from '../../ui/period.js';
import { Loaded } from '../../ui/states.js';

const HOUR_MS = 3_600_000;

const RANGES: readonly { readonly name: string; readonly label: string; readonly days: number }[] = [
  { name: '24h', label: '24 hours', days: 1 },
  { name: '7d', label: '7 days', days: 7 },
  { name: '30d', label: '30 days', days: 30 },
  { name: '90d', label: '90 days', days: 90 },
  { name: '366d', label: 'a year', days: 366 },
];

/** The outcomes of the API, and what the columns call them. */
const OUTCOMES = [
  ['blocked', 'blocked'],
  ['observed', 'observed'],
  ['allowed', 'clean'],
] as const;

/** All decisions by day, or by hour within a day. Each column leads to its rows. */
export function Trend({ range, now }: { readonly range: string; readonly now: string }) {
  const { change } = useAddress();
  const { name, days } = RANGES.find((known) => known.name === range) ?? RANGES[2]!;
  const bucket = days === 1 ? 'hour' : 'day';
  const query = { control: 'all', bucket, ...(days === 1 ? lastHours(now) : lastWholeDays(days, now)) };
  const trend = useResource(`trend ${query.from} ${bucket}`, async (signal) => {
    const { data } = await client.call('audit.trend', { query, signal });
    return data;
  });
  useLiveReload(trend.reload);
  return (
    <section class="card">
      <div class="split">
        <h2>Decisions of all controls</h2>
        <div class="segments" role="group" aria-label="Period">
          {RANGES.map((known) => (
            <button
              type="button"
              key={known.name}
              aria-pressed={known.name === name}
              onClick={() => change({ range: known.name }, { replace: true })}
            >
              {known.label}
            </button>
          ))}
        </div>
      </div>
      <Loaded resource={trend} lines={8}>
        {(data) => <Chart data={data} bucket={bucket} />}
      </Loaded>
    </section>
  );
}

// Both functions return whole hours or days, so that the key of the resource changes rarely.

function lastHours(now: string) {
  const end = Math.ceil(Date.parse(now) / HOUR_MS) * HOUR_MS;
  return { from: new Date(end - 24 * HOUR_MS).toISOString(), to: new Date(end - 1).toISOString() };
}

/** Without an end: it is the end of today, with hours that are still to come. */
function lastWholeDays(days: number, now: string) {
  return { from: lastDays(days, Date.parse(now)).from };
}

function Chart({ data, bucket }: { readonly data: AuditTrendData; readonly bucket: 'hour' | 'day' }) {
  const columns = data.points.map((point): Column => {
    const { date, blocked, observed, allowed } = point;
    const to = bucket === 'day' ? date : new Date(Date.parse(date) + HOUR_MS - 1).toISOString();
    return {
      label: bucket === 'day' ? day(date) : `${clock(date)} to ${clock(to)}`,
      href: href('/audit', { control: 'all', from: date, to }),
      blocked,
      observed,
      clean: allowed - observed,
    };
  });
  if (data.points.every(({ allowed, blocked }) => allowed + blocked === 0))
    return <p class="muted">No decision in this period.</p>;
  return (
    <>
      <StackedColumns columns={columns} title={`Decisions by ${bucket}, in UTC`} />
      <details>
        <summary>The same figures as a table</summary>
        <div class="table-scroll">
          <table>
            <thead>
              <tr>
                <th>{bucket === 'day' ? 'Day (UTC)' : 'Hour'}</th>
                <th class="number">blocked</th>
                <th class="number">observed</th>
                <th class="number">no finding</th>
              </tr>
            </thead>
            <tbody>
              {columns.toReversed().map((column) => (
                <tr key={column.label}>
                  <td>
                    <a href={column.href}>{column.label}</a>
                  </td>
                  {OUTCOMES.map(([outcome, value]) => (
                    <td class="number" key={outcome}>
                      <a href={`${column.href}&outcome=${outcome}`}>{count(column[value])}</a>
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </details>
    </>
  );
}
