import { hash } from 'node:crypto';
import type { OutputCount } from '../../../../contracts/src/output.js';
import type { DecisionRow } from './decision-row.js';
import { sealNext, type Chain } from './seal.js';

export interface SealedRow extends DecisionRow {
  readonly sequence: number;
  readonly seal: Buffer;
}

export interface DecisionsFold {
  /** The hour or the day. */
  readonly time: string;
  readonly line: Buffer;
  readonly control: string;
  readonly outcome: string;
  readonly ruleId: string;
  readonly application: string;
  decisions: number;
}

/** The same whatever the rule and the application. */
export interface DayTotal {
  readonly day: string;
  readonly control: string;
  readonly outcome: string;
  decisions: number;
}

/** What rows that are committed together come to, in words of no particular database. Every list is in the order of its keys, so that no two batches ever wait for each other crosswise. */
export interface Batch {
  readonly writer: string;
  readonly rows: readonly SealedRow[];
  /** Where the writer stands once it is committed. */
  readonly end: Chain;
  /** By name. */
  readonly principals: ReadonlyMap<string, Buffer>;
  /** Ids grow with the sequence, so that the first and the last row of an hour bound its ids. */
  readonly hours: readonly { readonly hour: string; readonly first: number; last: number }[];
  readonly hourly: readonly DecisionsFold[];
  readonly daily: readonly DecisionsFold[];
  readonly dailyTotals: readonly DayTotal[];
  readonly rulesets: readonly { hour: string; version: string; attempts: number; lastSeenAt: string }[];
  readonly ruleHits: readonly { readonly hour: string; readonly ruleId: string; hits: number }[];
  readonly outputHourly: readonly (Omit<OutputCount, 'count'> & { readonly hour: string; count: number })[];
}

export function batchOf(chain: Chain, given: readonly DecisionRow[]): Batch {
  const { rows, end } = sealed(chain, given);
  const hourly = hourlyOf(rows);
  return {
    writer: chain.writer,
    rows,
    end,
    principals: principalsOf(rows),
    hours: hoursOf(rows),
    hourly,
    daily: dailyOf(hourly),
    dailyTotals: dailyTotalsOf(hourly),
    rulesets: rulesetsOf(rows),
    ruleHits: ruleHitsOf(rows),
    outputHourly: outputHourlyOf(rows),
  };
}

/** By which a principal is found, however long its name. */
export function principalDigest(name: string): Buffer {
  return hash('sha256', name, 'buffer');
}

function sealed(
  chain: Chain,
  given: readonly DecisionRow[],
): { readonly rows: readonly SealedRow[]; readonly end: Chain } {
  let { sequence, seal } = chain;
  const { writer } = chain;
  const rows = given.map((row): SealedRow => {
    sequence += 1;
    seal = sealNext(seal, writer, sequence, row.evidence);
    return { ...row, sequence, seal };
  });
  return { rows, end: { writer, sequence, seal } };
}

/** `YYYY-MM-DDTHH`. */
function hourOf({ evidence }: DecisionRow): string {
  return evidence.occurredAt.slice(0, 13);
}

function principalsOf(rows: readonly SealedRow[]): Batch['principals'] {
  const names = new Set(
    rows.flatMap(({ principal, rejection }) => [principal, rejection?.principal ?? null]),
  );
  names.delete(null);
  const named = [...(names as Set<string>)].map((name) => [name, principalDigest(name)] as const);
  return new Map(named.toSorted(([, one], [, other]) => one.compare(other)));
}

function hoursOf(rows: readonly SealedRow[]): Batch['hours'] {
  return folded(
    rows,
    hourOf,
    (row) => ({ hour: hourOf(row), first: row.sequence, last: row.sequence }),
    (hour, { sequence }) => (hour.last = sequence),
  );
}

function hourlyOf(rows: readonly SealedRow[]): Batch['hourly'] {
  return folded(
    rows,
    (row) => hourOf(row) + row.line,
    (row) => ({
      time: hourOf(row),
      // Sixteen bytes are enough to tell lines apart.
      line: hash('sha256', row.line, 'buffer').subarray(0, 16),
      control: row.evidence.control,
      outcome: row.evidence.outcome,
      ruleId: row.evidence.ruleId ?? '',
      application: row.evidence.application ?? '',
      decisions: 0,
    }),
    (fold) => (fold.decisions += 1),
  );
}

function dailyOf(hourly: Batch['hourly']): Batch['daily'] {
  return folded(
    hourly.map((fold) => ({ ...fold, time: fold.time.slice(0, 10) })),
    ({ time, line }) => time + line.toString('latin1'),
    (fold) => ({ ...fold, decisions: 0 }),
    (fold, { decisions }) => (fold.decisions += decisions),
  );
}

function dailyTotalsOf(hourly: Batch['hourly']): Batch['dailyTotals'] {
  return folded(
    hourly,
    ({ time, control, outcome }) => `${time.slice(0, 10)} ${control} ${outcome}`,
    ({ time, control, outcome }) => ({ day: time.slice(0, 10), control, outcome, decisions: 0 }),
    (fold, { decisions }) => (fold.decisions += decisions),
  );
}

function rulesetsOf(rows: readonly SealedRow[]): Batch['rulesets'] {
  return folded(
    rows.filter(({ evidence }) => evidence.control === 'input_screen'),
    (row) => `${hourOf(row)} ${row.evidence.rulesetVersion}`,
    (row) => ({
      hour: hourOf(row),
      version: row.evidence.rulesetVersion,
      attempts: 0,
      lastSeenAt: row.evidence.occurredAt,
    }),
    (fold, { evidence: { occurredAt } }) => {
      fold.attempts += 1;
      if (occurredAt > fold.lastSeenAt) fold.lastSeenAt = occurredAt;
    },
  );
}

function ruleHitsOf(rows: readonly SealedRow[]): Batch['ruleHits'] {
  return folded(
    rows.flatMap((row) => row.hits.map((ruleId) => ({ hour: hourOf(row), ruleId }))),
    ({ hour, ruleId }) => `${hour} ${ruleId}`,
    (hit) => ({ ...hit, hits: 0 }),
    (fold) => (fold.hits += 1),
  );
}

function outputHourlyOf(rows: readonly SealedRow[]): Batch['outputHourly'] {
  return folded(
    rows.flatMap((row) => row.outputCounts.map((count) => ({ ...count, hour: hourOf(row) }))),
    ({ hour, kind, detector, enforced }) => JSON.stringify([hour, kind, detector, enforced]),
    (line) => ({ ...line, count: 0 }),
    (fold, { count }) => (fold.count += count),
  );
}

/** One fold for each key, in the order of the keys. */
function folded<Row, Fold>(
  rows: readonly Row[],
  keyOf: (row: Row) => string,
  begun: (row: Row) => Fold,
  add: (fold: Fold, row: Row) => void,
): Fold[] {
  const folds = new Map<string, Fold>();
  for (const row of rows) {
    const key = keyOf(row);
    const fold = folds.get(key) ?? begun(row);
    folds.set(key, fold);
    add(fold, row);
  }
  return [...folds].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, fold]) => fold);
}
