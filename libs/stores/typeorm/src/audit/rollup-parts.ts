import type { Parameters } from '../parameters.js';
import type { Tables } from '../tables.js';
import type { Batch, DecisionsFold } from './batch.js';

/** What a batch adds to the folded counts, as parts of its statement. */
export function rollupParts(tables: Tables, batch: Batch, parameters: Parameters): readonly string[] {
  return [
    decisionsPart(tables.hourly, 'hour', batch.hourly, parameters),
    decisionsPart(tables.daily, 'day', batch.daily, parameters),
    totalsPart(tables, batch, parameters),
    ...rulesetsPart(tables, batch, parameters),
    ...ruleHitsPart(tables, batch, parameters),
    ...outputHourlyPart(tables, batch, parameters),
  ];
}

function decisionsPart(
  table: string,
  time: 'hour' | 'day',
  folds: readonly DecisionsFold[],
  parameters: Parameters,
): string {
  const lists = parameters.lists([
    ['text', folds.map((fold) => fold.time)],
    ['bytea', folds.map(({ line }) => line)],
    ['text', folds.map(({ control }) => control)],
    ['text', folds.map(({ outcome }) => outcome)],
    ['text', folds.map(({ ruleId }) => ruleId)],
    ['text', folds.map(({ application }) => application)],
    ['bigint', folds.map(({ decisions }) => decisions)],
  ]);
  return `decisions_by_${time} as (
    insert into ${table} as held (${time}, line, control, outcome, rule_id, application, decisions)
    select * from unnest(${lists})
    on conflict (${time}, line) do update set decisions = held.decisions + excluded.decisions)`;
}

function totalsPart(tables: Tables, { dailyTotals }: Batch, parameters: Parameters): string {
  const lists = parameters.lists([
    ['text', dailyTotals.map(({ day }) => day)],
    ['text', dailyTotals.map(({ control }) => control)],
    ['text', dailyTotals.map(({ outcome }) => outcome)],
    ['bigint', dailyTotals.map(({ decisions }) => decisions)],
  ]);
  return `totals_by_day as (
    insert into ${tables.dailyTotals} as held (day, control, outcome, decisions)
    select * from unnest(${lists})
    on conflict (day, control, outcome) do update set decisions = held.decisions + excluded.decisions)`;
}

function rulesetsPart(tables: Tables, { rulesets }: Batch, parameters: Parameters): readonly string[] {
  if (rulesets.length === 0) return [];
  const lists = parameters.lists([
    ['text', rulesets.map(({ hour }) => hour)],
    ['text', rulesets.map(({ version }) => version)],
    ['bigint', rulesets.map(({ attempts }) => attempts)],
    ['timestamptz', rulesets.map(({ lastSeenAt }) => lastSeenAt)],
  ]);
  return [
    `rulesets as (
      insert into ${tables.rulesets} as held (hour, ruleset_version, attempts, last_seen_at)
      select * from unnest(${lists})
      on conflict (hour, ruleset_version) do update set
        attempts = held.attempts + excluded.attempts,
        last_seen_at = greatest(held.last_seen_at, excluded.last_seen_at))`,
  ];
}

function ruleHitsPart(tables: Tables, { ruleHits }: Batch, parameters: Parameters): readonly string[] {
  if (ruleHits.length === 0) return [];
  const lists = parameters.lists([
    ['text', ruleHits.map(({ hour }) => hour)],
    ['text', ruleHits.map(({ ruleId }) => ruleId)],
    ['bigint', ruleHits.map(({ hits }) => hits)],
  ]);
  return [
    `rule_hits as (
      insert into ${tables.ruleHits} as held (hour, rule_id, hits)
      select * from unnest(${lists})
      on conflict (hour, rule_id) do update set hits = held.hits + excluded.hits)`,
  ];
}

function outputHourlyPart(
  tables: Tables,
  { outputHourly }: Batch,
  parameters: Parameters,
): readonly string[] {
  if (outputHourly.length === 0) return [];
  const lists = parameters.lists([
    ['text', outputHourly.map(({ hour }) => hour)],
    ['text', outputHourly.map(({ kind }) => kind)],
    ['text', outputHourly.map(({ detector }) => detector)],
    ['boolean', outputHourly.map(({ enforced }) => enforced)],
    ['bigint', outputHourly.map(({ count }) => count)],
  ]);
  return [
    `output_by_hour as (
      insert into ${tables.outputHourly} as held (hour, kind, detector, enforced, count)
      select * from unnest(${lists})
      on conflict (hour, kind, detector, enforced) do update set count = held.count + excluded.count)`,
  ];
}

/** Which ids an hour reaches from and to, so that a range of time becomes a range of ids. Stands behind `ids`. */
export function hoursPart(tables: Tables, { hours, rows }: Batch, parameters: Parameters): string {
  const began = batchStart(rows);
  const lists = parameters.lists([
    ['text', hours.map(({ hour }) => hour)],
    ['integer', hours.map(({ first }) => first - began)],
    ['integer', hours.map(({ last }) => last - began)],
  ]);
  return `hours as (
    insert into ${tables.hours} as held (hour, min_id, max_id)
    select given.hour, (select list from ids)[given.first], (select list from ids)[given.last]
    from unnest(${lists}) as given (hour, first, last)
    on conflict (hour) do update set
      min_id = least(held.min_id, excluded.min_id), max_id = greatest(held.max_id, excluded.max_id)
    where excluded.min_id < held.min_id or excluded.max_id > held.max_id)`;
}

/** The sequence before the first: what a sequence is beyond it is its place. */
function batchStart(rows: Batch['rows']): number {
  return (rows[0]?.sequence ?? 1) - 1;
}
