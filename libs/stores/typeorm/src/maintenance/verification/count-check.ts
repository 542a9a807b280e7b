import type { Findings } from './verification.js';

export interface CountedHour {
  readonly hour: string;
  readonly decisions: number;
}

/** Rows of each hour, against the counts that were folded when they were written. */
export class CountCheck {
  private readonly rows = new Map<string, number>();

  constructor(private readonly findings: Findings) {}

  add(occurredAt: string): void {
    count(this.rows, occurredAt.slice(0, 13), 1);
  }

  /** Rows that retention removed are still counted. */
  close(
    hourly: readonly CountedHour[],
    daily: readonly CountedHour[],
    removed: readonly CountedHour[],
  ): void {
    for (const { hour, decisions } of removed) count(this.rows, hour, decisions);
    const days = new Map<string, number>();
    for (const [hour, rows] of this.rows) count(days, hour.slice(0, 10), rows);
    this.compare('the hour', this.rows, hourly);
    this.compare('the day', days, daily);
  }

  private compare(what: string, rows: ReadonlyMap<string, number>, counted: readonly CountedHour[]): void {
    const expected = new Map(counted.map(({ hour, decisions }) => [hour, decisions]));
    const times = [...new Set([...rows.keys(), ...expected.keys()])].toSorted();
    for (const time of times) {
      const [there, told] = [rows.get(time) ?? 0, expected.get(time) ?? 0];
      if (there !== told)
        this.findings.add(
          'counts',
          null,
          `In ${what} ${time} (UTC) ${told} decisions were counted, and ${there} are accounted for.`,
        );
    }
  }
}

function count(counts: Map<string, number>, key: string, more: number): void {
  counts.set(key, (counts.get(key) ?? 0) + more);
}
