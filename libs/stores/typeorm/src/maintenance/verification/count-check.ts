import type { Findings } from './verification.js';

/** Of an hour, or of a day. */
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
 * Rows of each hour and day, against the counts that were folded when they were written: by control and outcome, or in
 * all where retention removed some, of which no more is known than how many.
 */
export class CountCheck {
  private readonly hours = new Map<string, Kinds>();

  constructor(private readonly findings: Findings) {}

  add(occurredAt: string, control: string, outcome: string): void {
    addTo(this.hours, occurredAt.slice(0, 13), `${control} ${outcome}`, 1);
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
    what: string,
    rows: ReadonlyMap<string, Kinds>,
    counted: readonly Counted[],
    removed: ReadonlyMap<string, number>,
  ): void {
    const expected = new Map<string, Kinds>();
    for (const { time, control, outcome, decisions } of counted)
      addTo(expected, time, `${control} ${outcome}`, decisions);
    const times = [...new Set([...rows.keys(), ...expected.keys(), ...removed.keys()])].toSorted();
    for (const time of times) {
      const [there, told] = [rows.get(time) ?? new Map(), expected.get(time) ?? new Map()];
      const gone = removed.get(time) ?? 0;
      const accounted = sum(there) + gone;
      if (accounted !== sum(told))
        this.findings.add(
          'counts',
          null,
          `In ${what} ${time} (UTC) ${sum(told)} decisions were counted, and ${accounted} are accounted for.`,
        );
      else if (gone === 0) this.compareKinds(`${what} ${time} (UTC)`, there, told);
    }
  }

  private compareKinds(when: string, there: Kinds, told: Kinds): void {
    const kinds = [...new Set([...there.keys(), ...told.keys()])].toSorted();
    const wrong = kinds.filter((kind) => (there.get(kind) ?? 0) !== (told.get(kind) ?? 0));
    if (wrong.length === 0) return;
    const each = wrong.map((kind) => `${told.get(kind) ?? 0} ${kind} for ${there.get(kind) ?? 0}`);
    this.findings.add(
      'counts',
      null,
      `In ${when} decisions were counted as what they are not: ${each.join(', ')}.`,
    );
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
