/**
 * Time windows in statements. Counts are kept by minute, hour and day, so a window is divided into its largest whole units;
 * entries are read for what remains within a minute at each end.
 */
import { clampTime, join, LATEST, raw, sql, type Sql } from './sql.js';
import type { Tables } from './tables.js';

/**
 * The units for which counts are kept. The texts of their times are ordered like the times, and understood by every
 * SQL database.
 */
export type TimeUnit = 'day' | 'hour' | 'minute';

/** Milliseconds of each unit, and the characters of its text: the beginning of a time in ISO 8601, in UTC. */
const UNITS = {
  day: { ms: 86_400_000, characters: 10 },
  hour: { ms: 3_600_000, characters: 13 },
  minute: { ms: 60_000, characters: 16 },
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

/** A window in its largest whole units. Empty spans are left out of the lists. */
export interface WindowParts {
  /** All whole minutes of the window: its days, hours and minutes. */
  readonly whole: TimeSpan;
  readonly days: readonly UnitSpan[];
  readonly hours: readonly UnitSpan[];
  readonly minutes: readonly UnitSpan[];
  /** What remains at both ends; each within one minute. */
  readonly edges: readonly TimeSpan[];
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
    whole: minutes.whole,
    days: days === null ? [] : unitSpans('day', days.whole),
    hours: days === null ? unitSpans('hour', hours.whole) : unitSpans('hour', days.before, days.after),
    minutes: unitSpans('minute', hours.before, hours.after),
    edges: withoutEmpty(minutes.before, minutes.after),
  };
}

/** The minutes that a window touches. */
export function wholeMinutes({ from, end }: TimeSpan): TimeSpan {
  const { ms } = UNITS.minute;
  return {
    from: new Date(Math.floor(from.getTime() / ms) * ms),
    end: new Date(Math.ceil(end.getTime() / ms) * ms),
  };
}

/** The unit that contains the time: `2026-03-10T12:30` for a minute. */
export function timeText(time: Date, unit: TimeUnit): string {
  return clampTime(time).toISOString().slice(0, UNITS[unit].characters);
}

/** The larger unit that contains the one with this text. */
export function within(text: string, unit: TimeUnit): string {
  return text.slice(0, UNITS[unit].characters);
}

/** A text after that of every time. */
const AFTER_ALL = 'A';

/** Standard SQL, because the trend query uses it. */
export function inSpan(column: 'day' | 'hour' | 'time', { from, end }: TimeSpan, unit: TimeUnit): Sql {
  const endText = end > LATEST ? AFTER_ALL : timeText(end, unit);
  return sql`${raw(column)} >= ${timeText(from, unit)} and ${raw(column)} < ${endText}`;
}

/** Rows of a table with the columns `unit` and `time`. */
export function inUnits(spans: readonly UnitSpan[]): Sql {
  const each = spans.map((span) => sql`unit = ${span.unit} and ${inSpan('time', span, span.unit)}`);
  return each.length === 0 ? raw('1 = 0') : sql`(${join(each, ' or ')})`;
}

/** The minute of an edge, in a table with the columns `unit` and `time`. */
export function minuteOf({ from }: TimeSpan): Sql {
  return sql`unit = 'minute' and time = ${timeText(from, 'minute')}`;
}

/**
 * Whether nothing occurred in the minute of an edge after the edge, so that its counts are those of the minute: the usual
 * case for a window that ends now. `null`: the edge does not begin with the minute.
 */
export function coversMinute(edge: TimeSpan, { newCounts, fineCounts }: Tables): Sql | null {
  if (edge.from.getTime() % UNITS.minute.ms !== 0) return null;
  const later = sql`last_seen_at >= ${edge.end}`;
  return sql`not exists (select 1 from ${newCounts} where time = ${timeText(edge.from, 'minute')} and ${later})
    and not exists (select 1 from ${fineCounts} where kind = 'total' and ${minuteOf(edge)} and ${later})`;
}

/** Conditions on the evidence of an edge. The ids of its minute limit the rows that are read, because no index has times. */
export function evidenceWithin(edge: TimeSpan, tables: Tables): readonly Sql[] {
  const { from, end } = edge;
  const covers = coversMinute(edge, tables);
  const range = sql`${tables.idRanges} where ${minuteOf(edge)}`;
  return [
    ...(covers === null ? [] : [sql`not (${covers})`]),
    sql`id >= (select min_id from ${range})`,
    sql`id <= (select max_id from ${range})`,
    sql`occurred_at >= ${from}`,
    sql`occurred_at < ${end}`,
  ];
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
