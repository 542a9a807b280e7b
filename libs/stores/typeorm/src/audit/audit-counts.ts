import { hash } from 'node:crypto';
import type { Evidence } from '#contracts/audit.js';
import type { OutputCount } from '#contracts/output.js';
import { within, type TimeUnit } from '../time-windows.js';
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

interface UnitTime {
  readonly unit: TimeUnit;
  readonly time: string;
}

/** The version of the rules is a part of the group. */
interface FineGroup extends DecisionGroup, UnitTime {
  readonly rulesetVersion: string;
  lastSeenAt: Date;
}

interface RuleHits extends UnitTime {
  readonly ruleId: string;
  hits: number;
  silenced: number;
}

/**
 * What a batch adds to the counts. Every list is ordered by its key, so two batches lock the same rows in the same
 * order and cannot deadlock.
 */
export interface BatchCounts {
  /** Places in the batch of the first and the last row of each hour, minute and second. Ids grow with the place. */
  readonly idRanges: readonly (UnitTime & { readonly first: number; last: number })[];
  readonly hourly: readonly (DecisionGroup & { readonly hour: string })[];
  readonly daily: readonly (DecisionGroup & { readonly day: string })[];
  /** By minute and by second. */
  readonly fine: readonly FineGroup[];
  readonly dailyTotals: readonly { day: string; control: string; outcome: string; decisions: number }[];
  readonly rulesets: readonly { hour: string; rulesetVersion: string; attempts: number; lastSeenAt: Date }[];
  /** By hour, minute and second, like the sums of outputs. */
  readonly ruleHits: readonly RuleHits[];
  readonly outputSums: readonly (UnitTime & Omit<OutputCount, 'count'> & { count: number })[];
}

export function countsOf(rows: readonly NumberedRow[]): BatchCounts {
  const seconds = secondsOf(rows);
  const hourly = hourlyOf(rows);
  return {
    idRanges: idRangesOf(rows),
    hourly,
    daily: dailyOf(hourly),
    fine: [...minutesOf(seconds), ...seconds],
    dailyTotals: dailyTotalsOf(hourly),
    rulesets: rulesetsOf(rows),
    ruleHits: ruleHitsOf(rows),
    outputSums: outputSumsOf(rows),
  };
}

function idRangesOf(rows: readonly NumberedRow[]): BatchCounts['idRanges'] {
  return grouped(
    inEachUnit(rows.map(({ second }, index) => ({ second, place: index + 1 }))),
    ({ time }) => time,
    ({ unit, time, place }) => ({ unit, time, first: place, last: place }),
    (range, { place }) => (range.last = place),
  );
}

function secondsOf(rows: readonly NumberedRow[]): readonly FineGroup[] {
  return grouped(
    rows,
    ({ second, countKey, evidence: { rulesetVersion } }) => second + countKey + rulesetVersion,
    ({ second, countKey, evidence }) => ({
      unit: 'second',
      time: second,
      ...groupOf(evidence, countKey + evidence.rulesetVersion),
      rulesetVersion: evidence.rulesetVersion,
      lastSeenAt: evidence.occurredAt,
    }),
    (group, { evidence: { occurredAt } }) => {
      group.decisions += 1;
      if (occurredAt > group.lastSeenAt) group.lastSeenAt = occurredAt;
    },
  );
}

function minutesOf(seconds: readonly FineGroup[]): readonly FineGroup[] {
  return grouped(
    seconds,
    ({ time, groupHash }) => within(time, 'minute') + groupHash.toString('latin1'),
    (group) => ({ ...group, unit: 'minute', time: within(group.time, 'minute'), decisions: 0 }),
    (group, { decisions, lastSeenAt }) => {
      group.decisions += decisions;
      if (lastSeenAt > group.lastSeenAt) group.lastSeenAt = lastSeenAt;
    },
  );
}

function hourlyOf(rows: readonly NumberedRow[]): BatchCounts['hourly'] {
  return grouped(
    rows,
    ({ second, countKey }) => within(second, 'hour') + countKey,
    ({ second, countKey, evidence }) => ({ hour: within(second, 'hour'), ...groupOf(evidence, countKey) }),
    (group) => (group.decisions += 1),
  );
}

/** @param key identifies the group; sixteen bytes of its digest are enough to distinguish groups */
function groupOf({ control, outcome, ruleId, application }: Evidence, key: string): DecisionGroup {
  return {
    groupHash: hash('sha256', key, 'buffer').subarray(0, 16),
    control,
    outcome,
    ruleId: ruleId ?? '',
    application: application ?? '',
    decisions: 0,
  };
}

function dailyOf(hourly: BatchCounts['hourly']): BatchCounts['daily'] {
  return grouped(
    hourly,
    ({ hour, groupHash }) => within(hour, 'day') + groupHash.toString('latin1'),
    ({ hour, ...group }) => ({ ...group, day: within(hour, 'day'), decisions: 0 }),
    (group, { decisions }) => (group.decisions += decisions),
  );
}

function dailyTotalsOf(hourly: BatchCounts['hourly']): BatchCounts['dailyTotals'] {
  return grouped(
    hourly,
    ({ hour, control, outcome }) => `${within(hour, 'day')} ${control} ${outcome}`,
    ({ hour, control, outcome }) => ({ day: within(hour, 'day'), control, outcome, decisions: 0 }),
    (total, { decisions }) => (total.decisions += decisions),
  );
}

function rulesetsOf(rows: readonly NumberedRow[]): BatchCounts['rulesets'] {
  return grouped(
    rows.filter(({ evidence }) => evidence.control === 'input_screen'),
    ({ second, evidence }) => `${within(second, 'hour')} ${evidence.rulesetVersion}`,
    ({ second, evidence: { rulesetVersion, occurredAt } }) => ({
      hour: within(second, 'hour'),
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
  const hits = rows.flatMap(({ second, matchedRuleIds, silencedRuleIds }) => [
    ...matchedRuleIds.map((ruleId) => ({ second, ruleId, counts: 'hits' as const })),
    ...silencedRuleIds.map((ruleId) => ({ second, ruleId, counts: 'silenced' as const })),
  ]);
  return grouped(
    inEachUnit(hits),
    ({ time, ruleId }) => `${time} ${ruleId}`,
    ({ unit, time, ruleId }) => ({ unit, time, ruleId, hits: 0, silenced: 0 }),
    (group, { counts }) => (group[counts] += 1),
  );
}

function outputSumsOf(rows: readonly NumberedRow[]): BatchCounts['outputSums'] {
  const counts = rows.flatMap(({ second, outputCounts }) => outputCounts.map((one) => ({ second, ...one })));
  return grouped(
    inEachUnit(counts),
    ({ time, kind, detector, enforced }) => JSON.stringify([time, kind, detector, enforced]),
    ({ second: _second, ...count }) => ({ ...count, count: 0 }),
    (sum, { count }) => (sum.count += count),
  );
}

/** Every record once per unit. Times of different units have different lengths, so a time identifies its unit. */
function inEachUnit<Row extends { readonly second: string }>(
  rows: readonly Row[],
): readonly (Row & UnitTime)[] {
  return (['hour', 'minute', 'second'] as const).flatMap((unit) =>
    rows.map((row) => ({ ...row, unit, time: within(row.second, unit) })),
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
