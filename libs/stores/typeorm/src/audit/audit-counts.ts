import { hash } from 'node:crypto';
import type { OutputCount } from '#contracts/output.js';
import type { NumberedRow } from './decision-row.js';

export interface DecisionGroup {
  readonly groupHash: Buffer;
  readonly control: string;
  readonly outcome: string;
  /** '' for none. */
  readonly ruleId: string;
  /** '' for none. */
  readonly application: string;
  decisions: number;
}

/**
 * What a batch adds to the counts. Every list is ordered by its key, so two batches lock the same rows in the same
 * order and cannot deadlock.
 */
export interface BatchCounts {
  /** Places in the batch of the first and the last row of each hour. Ids grow with the place. */
  readonly idRanges: readonly { readonly hour: string; readonly first: number; last: number }[];
  readonly hourly: readonly (DecisionGroup & { readonly hour: string })[];
  readonly daily: readonly (DecisionGroup & { readonly day: string })[];
  readonly dailyTotals: readonly { day: string; control: string; outcome: string; decisions: number }[];
  readonly rulesets: readonly { hour: string; rulesetVersion: string; attempts: number; lastSeenAt: Date }[];
  readonly ruleHits: readonly {
    readonly hour: string;
    readonly ruleId: string;
    hits: number;
    silenced: number;
  }[];
  readonly outputHourly: readonly (Omit<OutputCount, 'count'> & { readonly hour: string; count: number })[];
}

export function countsOf(rows: readonly NumberedRow[]): BatchCounts {
  const hourly = hourlyOf(rows);
  return {
    idRanges: idRangesOf(rows),
    hourly,
    daily: dailyOf(hourly),
    dailyTotals: dailyTotalsOf(hourly),
    rulesets: rulesetsOf(rows),
    ruleHits: ruleHitsOf(rows),
    outputHourly: outputHourlyOf(rows),
  };
}

function idRangesOf(rows: readonly NumberedRow[]): BatchCounts['idRanges'] {
  return grouped(
    rows.map(({ hour }, index) => ({ hour, place: index + 1 })),
    ({ hour }) => hour,
    ({ hour, place }) => ({ hour, first: place, last: place }),
    (range, { place }) => (range.last = place),
  );
}

function hourlyOf(rows: readonly NumberedRow[]): BatchCounts['hourly'] {
  return grouped(
    rows,
    ({ hour, countKey }) => hour + countKey,
    ({ hour, countKey, evidence: { control, outcome, ruleId, application } }) => ({
      hour,
      // Sixteen bytes are enough to distinguish groups.
      groupHash: hash('sha256', countKey, 'buffer').subarray(0, 16),
      control,
      outcome,
      ruleId: ruleId ?? '',
      application: application ?? '',
      decisions: 0,
    }),
    (group) => (group.decisions += 1),
  );
}

function dailyOf(hourly: BatchCounts['hourly']): BatchCounts['daily'] {
  return grouped(
    hourly,
    ({ hour, groupHash }) => hour.slice(0, 10) + groupHash.toString('latin1'),
    ({ hour, ...group }) => ({ ...group, day: hour.slice(0, 10), decisions: 0 }),
    (group, { decisions }) => (group.decisions += decisions),
  );
}

function dailyTotalsOf(hourly: BatchCounts['hourly']): BatchCounts['dailyTotals'] {
  return grouped(
    hourly,
    ({ hour, control, outcome }) => `${hour.slice(0, 10)} ${control} ${outcome}`,
    ({ hour, control, outcome }) => ({ day: hour.slice(0, 10), control, outcome, decisions: 0 }),
    (total, { decisions }) => (total.decisions += decisions),
  );
}

function rulesetsOf(rows: readonly NumberedRow[]): BatchCounts['rulesets'] {
  return grouped(
    rows.filter(({ evidence }) => evidence.control === 'input_screen'),
    ({ hour, evidence }) => `${hour} ${evidence.rulesetVersion}`,
    ({ hour, evidence: { rulesetVersion, occurredAt } }) => ({
      hour,
      rulesetVersion,
      attempts: 0,
      lastSeenAt: occurredAt,
    }),
    (ruleset, { evidence: { occurredAt } }) => {
      ruleset.attempts += 1;
      if (occurredAt > ruleset.lastSeenAt) ruleset.lastSeenAt = occurredAt;
    },
  );
}

function ruleHitsOf(rows: readonly NumberedRow[]): BatchCounts['ruleHits'] {
  return grouped(
    rows.flatMap(({ hour, matchedRuleIds, silencedRuleIds }) => [
      ...matchedRuleIds.map((ruleId) => ({ hour, ruleId, counts: 'hits' as const })),
      ...silencedRuleIds.map((ruleId) => ({ hour, ruleId, counts: 'silenced' as const })),
    ]),
    ({ hour, ruleId }) => `${hour} ${ruleId}`,
    ({ hour, ruleId }) => ({ hour, ruleId, hits: 0, silenced: 0 }),
    (group, { counts }) => (group[counts] += 1),
  );
}

function outputHourlyOf(rows: readonly NumberedRow[]): BatchCounts['outputHourly'] {
  return grouped(
    rows.flatMap(({ hour, outputCounts }) => outputCounts.map((count) => ({ ...count, hour }))),
    ({ hour, kind, detector, enforced }) => JSON.stringify([hour, kind, detector, enforced]),
    (count) => ({ ...count, count: 0 }),
    (sum, { count }) => (sum.count += count),
  );
}

/** One group per key, ordered by key. */
function grouped<Row, Group>(
  rows: readonly Row[],
  keyOf: (row: Row) => string,
  create: (row: Row) => Group,
  add: (group: Group, row: Row) => void,
): Group[] {
  const groups = new Map<string, Group>();
  for (const row of rows) {
    const key = keyOf(row);
    const group = groups.get(key) ?? create(row);
    groups.set(key, group);
    add(group, row);
  }
  return [...groups].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, group]) => group);
}
