import { hash } from 'node:crypto';
import type { Outcome } from '#contracts/common/control-mode.js';
import type { OutputCount } from '#contracts/output/output.js';
import { within, type TimeUnit } from '../database/time-windows.js';
import type { DecisionRow } from './decision-row.js';

interface UnitTime {
  readonly unit: TimeUnit;
  readonly time: string;
}

/** Decisions of a second, by outcome. */
interface DecisionGroup extends Record<Outcome, number> {
  readonly time: string;
  readonly groupHash: Buffer;
  readonly control: string;
  /** '' for none. */
  readonly ruleId: string;
  /** '' for none. */
  readonly application: string;
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
  readonly idRanges: readonly (UnitTime & { first: number; last: number })[];
  readonly decisions: readonly DecisionGroup[];
  /** By hour, minute and second. */
  readonly ruleHits: readonly RuleHits[];
  /** By day, hour, minute and second. */
  readonly outputSums: readonly (UnitTime & Omit<OutputCount, 'count'> & { count: number })[];
}

export function countsOf(rows: readonly DecisionRow[]): BatchCounts {
  return {
    idRanges: idRangesOf(rows),
    decisions: decisionsOf(rows),
    ruleHits: ruleHitsOf(rows),
    outputSums: outputSumsOf(rows),
  };
}

function idRangesOf(rows: readonly DecisionRow[]): BatchCounts['idRanges'] {
  const seconds = new Map<string, { readonly second: string; readonly first: number; last: number }>();
  for (const [index, { second }] of rows.entries()) {
    const range = seconds.get(second);
    if (range === undefined) seconds.set(second, { second, first: index + 1, last: index + 1 });
    else range.last = index + 1;
  }
  return inEachUnit(
    [...seconds.values()],
    () => '',
    ({ unit, time }, { first, last }) => ({ unit, time, first, last }),
    (range, { first, last }) => {
      range.first = Math.min(range.first, first);
      range.last = Math.max(range.last, last);
    },
  );
}

function decisionsOf(rows: readonly DecisionRow[]): BatchCounts['decisions'] {
  return grouped(
    rows,
    ({ second, countKey, evidence: { rulesetVersion } }) => second + countKey + rulesetVersion,
    ({ second, countKey, evidence: { control, ruleId, application, rulesetVersion, occurredAt } }) => ({
      time: second,
      // Sixteen bytes are enough to distinguish groups.
      groupHash: hash('sha256', countKey, 'buffer').subarray(0, 16),
      control,
      ruleId: ruleId ?? '',
      application: application ?? '',
      rulesetVersion,
      allowed: 0,
      observed: 0,
      blocked: 0,
      lastSeenAt: occurredAt,
    }),
    (group, { evidence: { outcome, occurredAt } }) => {
      group[outcome] += 1;
      if (occurredAt > group.lastSeenAt) group.lastSeenAt = occurredAt;
    },
  );
}

function ruleHitsOf(rows: readonly DecisionRow[]): BatchCounts['ruleHits'] {
  const matches: { second: string; ruleId: string; hits: number; silenced: number }[] = [];
  for (const { second, matchedRuleIds, silencedRuleIds } of rows) {
    for (const ruleId of matchedRuleIds) matches.push({ second, ruleId, hits: 1, silenced: 0 });
    for (const ruleId of silencedRuleIds) matches.push({ second, ruleId, hits: 0, silenced: 1 });
  }
  return inEachUnit(
    matches,
    ({ ruleId }) => ruleId,
    ({ unit, time }, { ruleId }) => ({ unit, time, ruleId, hits: 0, silenced: 0 }),
    (group, { hits, silenced }) => {
      group.hits += hits;
      group.silenced += silenced;
    },
  );
}

function outputSumsOf(rows: readonly DecisionRow[]): BatchCounts['outputSums'] {
  const counts = rows.flatMap(({ second, outputCounts }) => outputCounts.map((one) => ({ second, ...one })));
  return inEachUnit(
    counts,
    ({ kind, detector, enforced }) => JSON.stringify([kind, detector, enforced]),
    ({ unit, time }, { kind, detector, enforced }) => ({ unit, time, kind, detector, enforced, count: 0 }),
    (sum, { count }) => (sum.count += count),
    ['day', 'hour', 'minute', 'second'],
  );
}

/** Groups for each unit of time. Times of different units have different lengths, so a time identifies its unit. */
function inEachUnit<Row extends { readonly second: string }, Group>(
  rows: readonly Row[],
  keyOf: (row: Row) => string,
  create: (time: UnitTime, row: Row) => Group,
  add: (group: Group, row: Row) => void,
  units: readonly TimeUnit[] = ['hour', 'minute', 'second'],
): readonly Group[] {
  if (rows.length === 0) return [];
  return units.flatMap((unit) =>
    grouped(
      rows,
      (row) => `${within(row.second, unit)} ${keyOf(row)}`,
      (row) => create({ unit, time: within(row.second, unit) }, row),
      add,
    ),
  );
}

/** One group per key, ordered by key. */
function grouped<Row, Group>(
  rows: readonly Row[],
  keyOf: (row: Row) => string,
  create: (row: Row) => Group,
  add: (group: Group, row: Row) => void,
): readonly Group[] {
  const [only] = rows;
  if (rows.length === 1 && only !== undefined) {
    const group = create(only);
    add(group, only);
    return [group];
  }
  const groups = new Map<string, Group>();
  for (const row of rows) {
    const key = keyOf(row);
    const group = groups.get(key) ?? create(row);
    groups.set(key, group);
    add(group, row);
  }
  return [...groups].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, group]) => group);
}
