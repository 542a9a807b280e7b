import type { TrendBucket } from '#contracts/audit/filter.js';
import type { FieldErrors } from '#contracts/common/errors.js';
import type { TimeWindow } from '#contracts/common/page.js';
import { invalid, valid, type Parsed } from '#contracts/settings/setting-kinds.js';

const ISO =
  /^(\d{4})-(\d{2})-(\d{2})(?:T(\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{3}))?)?(?:Z|([+-])(\d{2}):(\d{2}))?)?$/;

const EARLIEST = new Date('0001-01-01T00:00:00.000Z').getTime();
const LATEST = new Date('9999-12-31T23:59:59.999Z').getTime();
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

const DEFAULT_DAYS = 30;
const MAX_TREND_DAYS = { day: 366, hour: 31 } as const satisfies Record<TrendBucket, number>;

interface Instant {
  readonly time: number;
  /** A bare date: the UTC day that begins at `time`. */
  readonly isWholeDay: boolean;
}

/** Strict ISO 8601: `YYYY-MM-DD`, or with `THH:MM[:SS[.fff]]` and an optional offset (default UTC). */
export function parseInstant(text: string): Parsed<Instant> {
  const match = ISO.exec(text);
  if (match === null) return invalid('must be a date such as 2026-03-31 or 2026-03-31T12:00:00Z');
  const [year, month, day, hour, minute, second, millisecond] = match
    .slice(1, 8)
    .map((digits) => Number(digits ?? 0)) as [number, number, number, number, number, number, number];
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  date.setUTCHours(hour, minute, second, millisecond);
  const isInCalendar = date.getUTCMonth() === month - 1 && date.getUTCDate() === day && year > 0 && month > 0;
  if (!isInCalendar || hour > 23 || minute > 59 || second > 59) return invalid('is not in the calendar');
  const [, , , , , , , , sign, offsetHours = '0', offsetMinutes = '0'] = match;
  if (Number(offsetHours) > 23 || Number(offsetMinutes) > 59) return invalid('has an impossible offset');
  const offset = (Number(offsetHours) * 60 + Number(offsetMinutes)) * MINUTE * (sign === '-' ? -1 : 1);
  return valid({ time: clamp(date.getTime() - offset), isWholeDay: match[4] === undefined });
}

/** A range of texts. Both ends are inclusive; a bare date in `to` includes that whole UTC day. */
export function parseRange(texts: { readonly from?: string | null; readonly to?: string | null }): {
  readonly range: Partial<TimeWindow>;
  readonly errors: FieldErrors;
} {
  const errors: Record<string, readonly string[]> = {};
  const read = (name: 'from' | 'to'): Instant | undefined => {
    const parsed = parseInstant(texts[name] ?? '');
    if (parsed.ok) return parsed.value;
    if (typeof texts[name] === 'string') errors[name] = parsed.reasons;
    return undefined;
  };
  const [from, to] = [read('from')?.time, read('to')];
  const last = to?.isWholeDay === true ? endOfDay(to.time) : to?.time;
  if (from !== undefined && last !== undefined && from > last) errors['from'] = ['must not be after to'];
  const range = {
    ...(from !== undefined && { from: new Date(from) }),
    ...(last !== undefined && { to: new Date(last) }),
  };
  return { range, errors };
}

/** Limits a time to the years that every SQL dialect can compare. */
export function clamp(time: number): number {
  return Math.min(Math.max(time, EARLIEST), LATEST);
}

export function startOfDay(time: number): number {
  return clamp(Math.floor(time / DAY) * DAY);
}

export function endOfDay(time: number): number {
  return clamp(Math.floor(time / DAY) * DAY + DAY - 1);
}

/** The window of statistics: by default thirty UTC days including today. A window that is too long keeps its end. */
export function statisticsWindow(
  range: Partial<TimeWindow>,
  now: Date,
  maxDays = Number.POSITIVE_INFINITY,
): TimeWindow {
  const latest = Math.max(now.getTime(), range.from?.getTime() ?? 0);
  const to = range.to?.getTime() ?? endOfDay(latest);
  const from = range.from?.getTime() ?? firstOfDays(to, DEFAULT_DAYS);
  const earliest = Number.isFinite(maxDays) ? firstOfDays(to, maxDays) : from;
  return { from: new Date(Math.max(from, earliest)), to: new Date(to) };
}

export function trendWindow(range: Partial<TimeWindow>, now: Date, bucket: TrendBucket = 'day'): TimeWindow {
  return statisticsWindow(range, now, MAX_TREND_DAYS[bucket]);
}

/** The start of the first of `days` UTC days that end with the day of `time`. */
function firstOfDays(time: number, days: number) {
  return clamp(startOfDay(time) - (days - 1) * DAY);
}

/** Every UTC day or hour of the window as `YYYY-MM-DD` or `YYYY-MM-DDTHH`, oldest first. */
export function bucketsOf({ from, to }: TimeWindow, bucket: TrendBucket = 'day'): readonly string[] {
  const [step, length] = bucket === 'day' ? [DAY, 10] : [60 * MINUTE, 13];
  const buckets: string[] = [];
  for (let start = Math.floor(from.getTime() / step) * step; start <= to.getTime(); start += step) {
    buckets.push(new Date(clamp(start)).toISOString().slice(0, length));
  }
  return buckets;
}
