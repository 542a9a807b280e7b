/** Numbers, times and sizes as operators read them. Times are local or UTC; the exact UTC time is in the title. */
import { signal } from '@preact/signals';

// The first formatter of Intl is slow, above all on a phone, so the names are here.
const WEEKDAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;

/** Whether times are shown in UTC; otherwise in the zone of the browser. */
export const isUtc = signal(false);

/** `1,234,567`, `-1,234.5678`. */
export function count(value: number): string {
  return String(value).replaceAll(/(?<!\.\d*)\B(?=(?:\d{3})+(?!\d))/g, ',');
}

/** What a clock on the wall shows, local or UTC: `2026-03-05T14:07:09.120Z`, whose `Z` means nothing. */
export function wallClock(iso: string): string {
  const date = new Date(iso);
  const behind = isUtc.value ? 0 : date.getTimezoneOffset() * 60_000;
  return new Date(date.getTime() - behind).toISOString();
}

/** The time of what `wallClock` shows: the value of a field. */
export function isoOf(wall: string): string {
  return new Date(isUtc.value ? `${wall}Z` : wall).toISOString();
}

/** `05 Mar, 14:07:09`. */
export function dateTime(iso: string): string {
  const wall = wallClock(iso);
  return `${wall.slice(8, 10)} ${MONTHS[Number(wall.slice(5, 7)) - 1]}, ${wall.slice(11, 19)}`;
}

/** `Thu 5 Mar`: a day of the statistics, which are in UTC. */
export function day(iso: string): string {
  const date = new Date(iso);
  return `${WEEKDAYS[date.getUTCDay()]} ${date.getUTCDate()} ${MONTHS[date.getUTCMonth()]}`;
}

/** `14:07`. */
export function clock(iso: string): string {
  return wallClock(iso).slice(11, 16);
}

/** `2 of 3 calls`: the noun in the number that fits. */
export function plural(value: number, one: string, many = `${one}s`): string {
  return `${count(value)} ${value === 1 ? one : many}`;
}

/** The size of a text in UTF-8. */
export function bytes(text: string): string {
  const value = new TextEncoder().encode(text).length;
  if (value < 1000) return `${value} B`;
  return value < 1_000_000 ? `${(value / 1000).toFixed(1)} kB` : `${(value / 1_000_000).toFixed(1)} MB`;
}

export function microseconds(value: number): string {
  if (value < 1000) return `${value} µs`;
  return value < 1_000_000 ? `${(value / 1000).toFixed(1)} ms` : `${(value / 1_000_000).toFixed(2)} s`;
}

const UNITS: readonly (readonly [seconds: number, short: string])[] = [
  [86_400, 'd'],
  [3600, 'h'],
  [60, 'min'],
  [1, 's'],
];

/** `2 d 3 h`, `4 min 10 s`: the two largest units. */
export function duration(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  const first = UNITS.findIndex(([unit]) => whole >= unit);
  if (first === -1) return '0 s';
  let rest = whole;
  const parts: string[] = [];
  for (const [unit, short] of UNITS.slice(first, first + 2)) {
    const value = Math.floor(rest / unit);
    rest -= value * unit;
    if (value > 0) parts.push(`${value} ${short}`);
  }
  return parts.join(' ');
}

export function ago(iso: string, now: number): string {
  const seconds = (now - Date.parse(iso)) / 1000;
  if (seconds < 5) return 'just now';
  const first = UNITS.find(([unit]) => seconds >= unit) ?? [1, 's'];
  return `${Math.floor(seconds / first[0])} ${first[1]} ago`;
}

/** The first characters of a text, and `…` where more follow. */
export function cut(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length).replace(/[\uD800-\uDBFF]$/, '')}…` : text;
}
