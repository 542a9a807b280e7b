import type { TimeWindow } from '../../../libs/contracts/src/page.js';
import { clamped, DAY, endOfDay, startOfDay } from './instant.js';

const DEFAULT_DAYS = 30;
const LONGEST_DAYS = 366;

/** The window of statistics: by default thirty UTC days up to and including today; a longer one than a leap year keeps its end. */
export function statisticsWindow(
  range: { readonly from?: Date; readonly to?: Date },
  now: Date,
  longestDays = Number.POSITIVE_INFINITY,
): TimeWindow {
  const latest = Math.max(now.getTime(), range.from?.getTime() ?? 0);
  const to = range.to?.getTime() ?? endOfDay(latest);
  const from = range.from?.getTime() ?? daysBack(to, DEFAULT_DAYS);
  const earliest = Number.isFinite(longestDays) ? daysBack(to, longestDays) : from;
  return { from: new Date(Math.max(from, earliest)), to: new Date(to) };
}

export function trendWindow(range: { readonly from?: Date; readonly to?: Date }, now: Date): TimeWindow {
  return statisticsWindow(range, now, LONGEST_DAYS);
}

/** The start of the first of `days` UTC days that end with the day of `time`. */
function daysBack(time: number, days: number): number {
  return clamped(startOfDay(time) - (days - 1) * DAY);
}

/** Every UTC day that the window touches, `YYYY-MM-DD`, oldest first. */
export function daysOf({ from, to }: TimeWindow): readonly string[] {
  const days: string[] = [];
  for (let day = startOfDay(from.getTime()); day <= to.getTime(); day += DAY) {
    days.push(new Date(day).toISOString().slice(0, 10));
  }
  return days;
}
