/** What the overview says. */
import type { EventSinksData } from '#client/index.js';
import type { Range } from '../../data/range.js';
import { count, dateTime, duration, plural } from '../../text/format.js';

/** `from` is where the figures begin, because they cover a year at most. */
export function rangeText({ last, to }: Range, from: string): string {
  if (last !== undefined) return `last ${last}`;
  return `${dateTime(from)} to ${to === undefined ? 'now' : dateTime(to)}`;
}

/** `3 more calls blocked than a week earlier`. `what` begins with a noun in the plural. */
export function differenceText(now: number, weekBefore: number, what: string): string {
  if (now === weekBefore) return `As many ${what} as a week earlier`;
  const how = now > weekBefore ? 'more' : 'fewer';
  const difference = Math.abs(now - weekBefore);
  return `${count(difference)} ${how} ${difference === 1 ? what.replace('s ', ' ') : what} than a week earlier`;
}

export const NOTHING = 'Nothing unusual.';
export const UNKNOWN = 'The process stopped while the tool ran. Check what happened, then resolve it.';
export const EXPIRING = 'The first ones expire within 15 minutes. ';
export const SUSPECT = 'This run read a text that gives orders to the assistant.';

export const FROZEN = 'Tools are frozen: the bar above says which ones, and why.';
export const UNREAD = 'Not everything could be read.';

export function spikeText(hits: number, usual: number): string {
  return `decided ${plural(hits, 'prompt')}; at the same time a week earlier ${count(usual)}.`;
}

export function alarmText(alarms: number): string {
  return `${count(alarms)} of its decisions were judged false alarms.`;
}

const LATE_SECONDS = 60;

/** Why events of a sink do not arrive; empty if they do. */
export function sinkText({ state, lag_seconds: lag, dead }: EventSinksData['sinks'][number]): string {
  return [
    (state === 'open' || state === 'half_open') && 'refuses events at present',
    lag > LATE_SECONDS && `is ${duration(lag)} behind`,
    dead > 0 && `did not get ${plural(dead, 'event')}`,
  ]
    .filter((problem) => problem !== false)
    .join(', ');
}
