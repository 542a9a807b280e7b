import { timeText } from './parameters.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** From `from` up to, and without, `end`. */
export interface TimeSpan {
  readonly from: Date;
  readonly end: Date;
}

export interface HourParts {
  /** Whole UTC hours, and what lies before and behind them: each within one hour. What would be empty is left out. */
  readonly hours: readonly TimeSpan[];
  readonly edges: readonly TimeSpan[];
}

export interface DayParts extends HourParts {
  readonly days: readonly TimeSpan[];
}

/** The years that databases know are all that there is: a window beyond them begins or ends with them. */
export function spanOf({ from, to }: { readonly from: Date; readonly to: Date }): TimeSpan {
  const known = (time: Date): Date => new Date(timeText(time));
  return { from: known(from), end: new Date(known(to).getTime() + 1) };
}

/** Counted by the hour as far as possible. */
export function hourParts(span: TimeSpan): HourParts {
  const { before, whole, behind } = split(span, HOUR_MS);
  return { hours: filled(whole), edges: filled(before, behind) };
}

/** Counted by the day as far as possible, and by the hour as far as that goes. */
export function dayParts(span: TimeSpan): DayParts {
  const hours = split(span, HOUR_MS);
  const { before, whole, behind } = split(hours.whole, DAY_MS);
  return {
    days: filled(whole),
    hours: filled(before, behind),
    edges: filled(hours.before, hours.behind),
  };
}

/** `YYYY-MM-DDTHH`, in UTC. */
export function hourText(time: Date): string {
  return time.toISOString().slice(0, 13);
}

/** `YYYY-MM-DD`, in UTC. */
export function dayText(time: Date): string {
  return time.toISOString().slice(0, 10);
}

function split(
  { from, end }: TimeSpan,
  unit: number,
): { readonly before: TimeSpan; readonly whole: TimeSpan; readonly behind: TimeSpan } {
  const last = Math.max(end.getTime(), from.getTime());
  const first = Math.min(Math.ceil(from.getTime() / unit) * unit, last);
  const beyond = Math.max(Math.floor(last / unit) * unit, first);
  const span = (one: number, other: number): TimeSpan => ({ from: new Date(one), end: new Date(other) });
  return {
    before: span(from.getTime(), first),
    whole: span(first, beyond),
    behind: span(beyond, last),
  };
}

function filled(...spans: readonly TimeSpan[]): readonly TimeSpan[] {
  return spans.filter(({ from, end }) => from < end);
}
