import type { Parsed } from '../../../libs/contracts/src/settings/setting-kinds.js';

const ISO =
  /^(\d{4})-(\d{2})-(\d{2})(?:T(\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{3}))?)?(?:Z|([+-])(\d{2}):(\d{2}))?)?$/;

const EARLIEST = new Date('0001-01-01T00:00:00.000Z').getTime();
const LATEST = new Date('9999-12-31T23:59:59.999Z').getTime();
const MINUTE = 60_000;
export const DAY = 24 * 60 * MINUTE;

export interface Instant {
  readonly time: number;
  /** A bare date: the whole UTC day that begins at `time`. */
  readonly wholeDay: boolean;
}

/** Strict ISO-8601: `YYYY-MM-DD`, or with `THH:MM[:SS[.fff]]` and an optional offset; without one it is UTC. */
export function parseInstant(text: string): Parsed<Instant> {
  const match = ISO.exec(text);
  if (match === null) return misfit('must be a date such as 2026-03-31 or 2026-03-31T12:00:00Z');
  const [year, month, day, hour, minute, second, millisecond] = match
    .slice(1, 8)
    .map((digits) => Number(digits ?? 0)) as [number, number, number, number, number, number, number];
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  date.setUTCHours(hour, minute, second, millisecond);
  const isCalendar = date.getUTCMonth() === month - 1 && date.getUTCDate() === day && year > 0 && month > 0;
  if (!isCalendar || hour > 23 || minute > 59 || second > 59) return misfit('is not in the calendar');
  const [, , , , , , , , sign, offsetHours = '0', offsetMinutes = '0'] = match;
  if (Number(offsetHours) > 23 || Number(offsetMinutes) > 59) return misfit('has an impossible offset');
  const offset = (Number(offsetHours) * 60 + Number(offsetMinutes)) * MINUTE * (sign === '-' ? -1 : 1);
  return { ok: true, value: { time: clamped(date.getTime() - offset), wholeDay: match[4] === undefined } };
}

/** Within the years that every dialect can compare. */
export function clamped(time: number): number {
  return Math.min(Math.max(time, EARLIEST), LATEST);
}

export function startOfDay(time: number): number {
  return clamped(Math.floor(time / DAY) * DAY);
}

export function endOfDay(time: number): number {
  return clamped(Math.floor(time / DAY) * DAY + DAY - 1);
}

function misfit(reason: string): Parsed<never> {
  return { ok: false, reasons: [reason] };
}
