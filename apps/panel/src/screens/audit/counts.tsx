/** How many decisions there are in the range: by time, by outcome and by control. */
import { CONTROL_KEYS, OUTCOMES } from '#contracts/common/control-mode.js';
import { serverNow } from '../../data/clock.js';
import { useLiveReload } from '../../data/live.js';
import { type Query, useAddress } from '../../data/page.js';
import { useAnswer } from '../../data/requests.js';
import { count, DAY_MS, HOUR_MS } from '../../text/format.js';
import { CONTROL_WORDS, OUTCOME_WORDS } from '../../text/names.js';
import { Button, type Choice } from '../../ui/controls.js';
import { DecisionsChart } from '../../ui/decisions-chart.js';
import { areAmong, OF_TREND } from './filters.js';
import { COUNTED, isDecision, letterOf } from './sentences.js';

interface OfFilters {
  readonly filters: Query;
}

export function Counts({ filters }: OfFilters) {
  return (
    <>
      <div class="chips">
        <span class="muted">{COUNTED}</span>
        <Chips
          field="outcome"
          choices={OUTCOMES.toReversed().map((name) => [name, OUTCOME_WORDS[name]])}
          filters={filters}
        />
        <Chips
          field="control"
          choices={CONTROL_KEYS.map((name) => [name, `${letterOf(name)} ${CONTROL_WORDS[name].label}`])}
          filters={filters}
        />
      </div>
      {areAmong(OF_TREND, filters) && <Histogram filters={filters} />}
    </>
  );
}

/** The filter that counts the values of a field must not select one of them. */
const ALL = { outcome: undefined, control: 'all' };

/** Each value of a field with its number of decisions; a press filters by it. */
function Chips({
  field,
  choices,
  filters,
}: OfFilters & { readonly field: keyof typeof ALL; readonly choices: readonly Choice<string>[] }) {
  const { query, change } = useAddress();
  const { data, reload } = useAnswer('audit.facets', { query: { ...filters, [field]: ALL[field], field } });
  useLiveReload(reload, isDecision);
  // A figure is exact, or it is not shown.
  const counts = data?.partial === true ? undefined : data?.values;
  return (
    <div class="row" role="group" aria-label={`Filter by ${field}, with numbers of decisions`}>
      {choices.map(([value, label]) => {
        const isChosen = query[field] === value;
        return (
          <Button
            key={value}
            aria-pressed={isChosen}
            onClick={() => change({ [field]: isChosen ? undefined : value })}
          >
            {label}
            <span class="number muted">
              {counts && count(counts.find((one) => one.value === value)?.count ?? 0)}
            </span>
          </Button>
        );
      })}
    </div>
  );
}

/** Longer ranges are drawn by the day. */
const MAX_DAYS_BY_HOUR = 3;

/** Each column narrows the range to its hour or day. */
function Histogram({ filters }: OfFilters) {
  const { query } = useAddress();
  // Without an end the columns of today would include hours that are still to come.
  const hours = Math.ceil(serverNow.peek() / HOUR_MS);
  const to = filters['to'] ?? new Date(hours * HOUR_MS - 1).toISOString();
  const days = (Date.parse(to) - Date.parse(filters['from'] ?? '')) / DAY_MS;
  const bucket = days <= MAX_DAYS_BY_HOUR ? 'hour' : 'day';
  const { data, reload } = useAnswer('audit.trend', { query: { ...filters, to, bucket } });
  useLiveReload(reload, isDecision);
  return (
    <section class="histogram" aria-label="Decisions by time">
      {data !== undefined && <DecisionsChart trend={data} query={query} />}
    </section>
  );
}
