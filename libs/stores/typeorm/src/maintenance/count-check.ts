import type { Findings } from './findings.js';

/** Decisions of an hour or of a day. */
export interface Counted {
  readonly time: string;
  readonly control: string;
  readonly outcome: string;
  readonly decisions: number;
}

export interface RemovedHour {
  readonly hour: string;
  readonly decisions: number;
}

type Kinds = Map<string, number>;

/**
 * Compares the rows of each hour and day with the counts that were kept when they were appended: by control and outcome,
 * or only in total if retention deleted rows, because only their number is recorded.
 */
export class CountCheck {
  private readonly hours = new Map<string, Kinds>();

  constructor(private readonly findings: Findings) {}

  add(occurredAt: Date, control: string, outcome: string): void {
    addTo(this.hours, occurredAt.toISOString().slice(0, 13), `${control} ${outcome}`, 1);
  }

  close(hourly: readonly Counted[], daily: readonly Counted[], removed: readonly RemovedHour[]): void {
    const days = new Map<string, Kinds>();
    for (const [hour, kinds] of this.hours)
      for (const [kind, rows] of kinds) addTo(days, hour.slice(0, 10), kind, rows);
    const removedOfDay = removed.map(({ hour, decisions }) => ({ hour: hour.slice(0, 10), decisions }));
    this.compare('the hour', this.hours, hourly, sumsOf(removed));
    this.compare('the day', days, daily, sumsOf(removedOfDay));
  }

  private compare(
    unit: string,
    rows: ReadonlyMap<string, Kinds>,
    counted: readonly Counted[],
    removed: ReadonlyMap<string, number>,
  ): void {
    const expected = new Map<string, Kinds>();
    for (const { time, control, outcome, decisions } of counted)
      addTo(expected, time, `${control} ${outcome}`, decisions);
    const times = [...new Set([...rows.keys(), ...expected.keys(), ...removed.keys()])].toSorted();
    for (const time of times) {
      const [found, counts] = [rows.get(time) ?? new Map(), expected.get(time) ?? new Map()];
      const deleted = removed.get(time) ?? 0;
      const accounted = sum(found) + deleted;
      if (accounted !== sum(counts))
        this.findings.add(
          'counts',
          null,
          `In ${unit} ${time} (UTC) ${sum(counts)} decisions were counted, but ${accounted} rows exist or were deleted by retention.`,
        );
      else if (deleted === 0) this.compareKinds(`${unit} ${time} (UTC)`, found, counts);
    }
  }

  private compareKinds(time: string, found: Kinds, counts: Kinds): void {
    const kinds = [...new Set([...found.keys(), ...counts.keys()])].toSorted();
    const wrong = kinds.filter((kind) => (found.get(kind) ?? 0) !== (counts.get(kind) ?? 0));
    if (wrong.length === 0) return;
    const each = wrong.map(
      (kind) => `${kind}: counted ${counts.get(kind) ?? 0}, found ${found.get(kind) ?? 0}`,
    );
    this.findings.add('counts', null, `In ${time} the counts differ from the rows. ${each.join('; ')}.`);
  }
}

function addTo(times: Map<string, Kinds>, time: string, kind: string, more: number): void {
  const kinds = times.get(time);
  if (kinds === undefined) times.set(time, new Map([[kind, more]]));
  else kinds.set(kind, (kinds.get(kind) ?? 0) + more);
}

function sumsOf(removed: readonly RemovedHour[]): ReadonlyMap<string, number> {
  const sums = new Map<string, number>();
  for (const { hour, decisions } of removed) sums.set(hour, (sums.get(hour) ?? 0) + decisions);
  return sums;
}

const sum = (kinds: Kinds): number => [...kinds.values()].reduce((one, other) => one + other, 0);
