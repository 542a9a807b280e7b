import { clampTime } from './sql.js';

export const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** From `from` up to, and excluding, `end`. */
export interface TimeSpan {
  readonly from: Date;
  readonly end: Date;
}

export interface HourParts {
  /** Whole UTC hours. Empty spans are left out. */
  readonly hours: readonly TimeSpan[];
  /** What remains before and after them; each within one hour. */
  readonly edges: readonly TimeSpan[];
}

export interface DayParts extends HourParts {
  readonly days: readonly TimeSpan[];
}

/** A window whose end is inclusive, limited to times that the database can hold. */
export function spanOf({ from, to }: { readonly from: Date; readonly to: Date }): TimeSpan {
  return { from: clampTime(from), end: new Date(clampTime(to).getTime() + 1) };
}

export function hourParts(span: TimeSpan): HourParts {
  const { before, whole, after } = split(span, HOUR_MS);
  return { hours: withoutEmpty(whole), edges: withoutEmpty(before, after) };
}

/** Whole UTC days, the whole hours around them, and the rest. */
export function dayParts(span: TimeSpan): DayParts {
  const hours = split(span, HOUR_MS);
  const { before, whole, after } = split(hours.whole, DAY_MS);
  return {
    days: withoutEmpty(whole),
    hours: withoutEmpty(before, after),
    edges: withoutEmpty(hours.before, hours.after),
  };
}

/** `YYYY-MM-DDTHH`, in UTC. */
export function hourText(time: Date): string {
  return clampTime(time).toISOString().slice(0, 13);
}

/** `YYYY-MM-DD`, in UTC. */
export function dayText(time: Date): string {
  return clampTime(time).toISOString().slice(0, 10);
}

function split(
  { from, end }: TimeSpan,
  unit: number,
): { readonly before: TimeSpan; readonly whole: TimeSpan; readonly after: TimeSpan } {
  const last = Math.max(end.getTime(), from.getTime());
  const first = Math.min(Math.ceil(from.getTime() / unit) * unit, last);
  const beyond = Math.max(Math.floor(last / unit) * unit, first);
  const span = (start: number, stop: number): TimeSpan => ({ from: new Date(start), end: new Date(stop) });
  return {
    before: span(from.getTime(), first),
    whole: span(first, beyond),
    after: span(beyond, last),
  };
}

function withoutEmpty(...spans: readonly TimeSpan[]): readonly TimeSpan[] {
  return spans.filter(({ from, end }) => from < end);
}
