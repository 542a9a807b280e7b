import { hash } from 'node:crypto';
import type { Outcome } from '#contracts/control-mode.js';
import type { OutputCount } from '#contracts/output.js';
import { within, type TimeUnit } from '../time-windows.js';
import type { NumberedRow } from './decision-row.js';

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
  readonly idRanges: readonly (UnitTime & { readonly first: number; last: number })[];
  readonly decisions: readonly DecisionGroup[];
  /** By hour, minute and second. */
  readonly ruleHits: readonly RuleHits[];
  /** By day, hour, minute and second. */
  readonly outputSums: readonly (UnitTime & Omit<OutputCount, 'count'> & { count: number })[];
}

export function countsOf(rows: readonly NumberedRow[]): BatchCounts {
  return {
    idRanges: idRangesOf(rows),
    decisions: decisionsOf(rows),
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

function decisionsOf(rows: readonly NumberedRow[]): BatchCounts['decisions'] {
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
    inEachUnit(counts, ['day', 'hour', 'minute', 'second']),
    ({ time, kind, detector, enforced }) => JSON.stringify([time, kind, detector, enforced]),
    ({ second: _second, ...count }) => ({ ...count, count: 0 }),
    (sum, { count }) => (sum.count += count),
  );
}

/** Every record once per unit. Times of different units have different lengths, so a time identifies its unit. */
function inEachUnit<Row extends { readonly second: string }>(
  rows: readonly Row[],
  units: readonly TimeUnit[] = ['hour', 'minute', 'second'],
): readonly (Row & UnitTime)[] {
  return units.flatMap((unit) => rows.map((row) => ({ ...row, unit, time: within(row.second, unit) })));
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
