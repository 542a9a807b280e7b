import type { AuditTrendData } from '#client/index.js';
import { href, useAddress, type Query } from '../data/page.js';
import { clock, count, day, DAY_MS, HOUR_MS } from '../text/format.js';
import { OUTCOME_WORDS } from '../text/names.js';
import { ColumnChart } from './charts.js';

/** From the bottom of a column. A decision without a finding is allowed, and so is one that was only recorded. */
const LAYERS = [
  { name: 'clean', outcome: 'allowed', label: 'no finding', words: 'without a finding' },
  { name: 'observed', outcome: 'observed', label: OUTCOME_WORDS.observed, words: OUTCOME_WORDS.observed },
  { name: 'blocked', outcome: 'blocked', label: OUTCOME_WORDS.blocked, words: OUTCOME_WORDS.blocked },
] as const;

/** Decisions by day or hour. Each column leads to the entries of its time that fit `query`. */
export function DecisionsChart({
  trend: { from, to, points },
  query = { control: 'all' },
}: {
  readonly trend: AuditTrendData;
  readonly query?: Query;
}) {
  const { open } = useAddress();
  const isByDay = points.every(({ date }) => date.length === 10);
  const bucket = isByDay ? 'day' : 'hour';
  const columns = points.map(({ date, blocked, observed, allowed }) => {
    const end = new Date(Date.parse(date) + (isByDay ? DAY_MS : HOUR_MS) - 1).toISOString();
    // The first and the last column may be a part of their unit.
    const rows = { ...query, last: undefined, from: date > from ? date : from, to: end < to ? end : to };
    const values = { blocked, observed, clean: allowed - observed };
    return {
      rows,
      label: isByDay ? day(date) : `${clock(rows.from)} to ${clock(rows.to)}`,
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
      onChoose={(first, last) => open('/audit', { ...columns[last]?.rows, from: columns[first]?.rows.from })}
      heads={layers.map(({ label }) => label)}
      legend={layers.map(({ name, label }) => (
        <span key={name} class={`key ${name}`}>
          {label}
        </span>
      ))}
    />
  );
}
