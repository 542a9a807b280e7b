import { clampTime } from './sql.js';

/**
 * The units for which counts are kept. The texts of their times are ordered like the times, and understood by every
 * SQL database.
 */
export type TimeUnit = 'day' | 'hour' | 'minute' | 'second';

/** Milliseconds of each unit, and the characters of its text: the beginning of a time in ISO 8601, in UTC. */
const UNITS = {
  day: { ms: 86_400_000, characters: 10 },
  hour: { ms: 3_600_000, characters: 13 },
  minute: { ms: 60_000, characters: 16 },
  second: { ms: 1_000, characters: 19 },
} as const satisfies Readonly<Record<TimeUnit, { readonly ms: number; readonly characters: number }>>;

export const HOUR_MS = UNITS.hour.ms;

/** A window that includes `from` and excludes `end`. */
export interface TimeSpan {
  readonly from: Date;
  readonly end: Date;
}

/** Whole units. */
export interface UnitSpan extends TimeSpan {
  readonly unit: TimeUnit;
}

/** What remains of a window beside whole minutes: a span within one minute. */
export interface Edge extends TimeSpan {
  /** At most one span. */
  readonly seconds: readonly UnitSpan[];
  /** What remains beside the seconds; each within one second. */
  readonly rest: readonly TimeSpan[];
}

/** A window in its largest whole units. Empty spans are left out. */
export interface WindowParts {
  /** All whole minutes of the window: its days, hours and minutes. */
  readonly whole: readonly TimeSpan[];
  readonly days: readonly UnitSpan[];
  readonly hours: readonly UnitSpan[];
  readonly minutes: readonly UnitSpan[];
  readonly edges: readonly Edge[];
}

/** A window whose end is inclusive, limited to times that the database can hold. */
export function spanOf({ from, to }: { readonly from: Date; readonly to: Date }): TimeSpan {
  return { from: clampTime(from), end: new Date(clampTime(to).getTime() + 1) };
}

/** @param largest no span is of a larger unit */
export function windowParts(span: TimeSpan, largest: 'day' | 'hour'): WindowParts {
  const minutes = split(span, 'minute');
  const hours = split(minutes.whole, 'hour');
  const days = largest === 'day' ? split(hours.whole, 'day') : null;
  return {
    whole: withoutEmpty(minutes.whole),
    days: days === null ? [] : unitSpans('day', days.whole),
    hours: days === null ? unitSpans('hour', hours.whole) : unitSpans('hour', days.before, days.after),
    minutes: unitSpans('minute', hours.before, hours.after),
    edges: withoutEmpty(minutes.before, minutes.after).map(edgeOf),
  };
}

function edgeOf(span: TimeSpan): Edge {
  const { before, whole, after } = split(span, 'second');
  return { ...span, seconds: unitSpans('second', whole), rest: withoutEmpty(before, after) };
}

/** The unit that contains the time: `2026-03-10T12:30` for a minute. */
export function timeText(time: Date, unit: TimeUnit): string {
  return clampTime(time).toISOString().slice(0, UNITS[unit].characters);
}

/** The larger unit that contains the one with this text. */
export function within(text: string, unit: TimeUnit): string {
  return text.slice(0, UNITS[unit].characters);
}

function split(
  { from, end }: TimeSpan,
  unit: TimeUnit,
): { readonly before: TimeSpan; readonly whole: TimeSpan; readonly after: TimeSpan } {
  const { ms } = UNITS[unit];
  const last = Math.max(end.getTime(), from.getTime());
  const first = Math.min(Math.ceil(from.getTime() / ms) * ms, last);
  const beyond = Math.max(Math.floor(last / ms) * ms, first);
  const span = (start: number, stop: number): TimeSpan => ({ from: new Date(start), end: new Date(stop) });
  return {
    before: span(from.getTime(), first),
    whole: span(first, beyond),
    after: span(beyond, last),
  };
}

function unitSpans(unit: TimeUnit, ...spans: readonly TimeSpan[]): readonly UnitSpan[] {
  return withoutEmpty(...spans).map((span) => ({ unit, ...span }));
}

function withoutEmpty(...spans: readonly TimeSpan[]): readonly TimeSpan[] {
  return spans.filter(({ from, end }) => from < end);
}
