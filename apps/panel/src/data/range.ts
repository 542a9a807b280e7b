/** The range of time that screens show. The address has it: `last=7d`, or `from` and `to` as ISO times. */
import { useMemo } from 'preact/hooks';
import { serverNow } from './clock.js';
import { type Query, useAddress } from './page.js';

const MINUTE_MS = 60_000;
const HOURS = { '1h': 1, '24h': 24, '7d': 168, '30d': 720 } as const;

export type Last = keyof typeof HOURS;

export const LASTS = Object.keys(HOURS) as readonly Last[];

export interface Range {
  readonly from: string;
  readonly to?: string;
  /** Not set where the address has absolute times. */
  readonly last?: Last;
}

/** Of an address without a range: the last 24 hours. A relative range starts with a minute, so that requests are alike. */
export function rangeOf({ last: named, from, to }: Query): Range {
  if (isTime(from) || isTime(to)) {
    const start = isTime(from) ? from : '1970-01-01';
    // A bare date includes that whole UTC day.
    return isTime(to) ? { from: start, to: to.length === 10 ? `${to}T23:59:59.999Z` : to } : { from: start };
  }
  const last = LASTS.find((name) => name === named) ?? '24h';
  const minutes = Math.floor(serverNow.peek() / MINUTE_MS) - HOURS[last] * 60;
  return { from: new Date(minutes * MINUTE_MS).toISOString(), last };
}

/** An address may have anything that a person typed. */
function isTime(text: string | undefined): text is string {
  return text !== undefined && !Number.isNaN(Date.parse(text));
}

/** The range of the address. A relative one stays where it started until another screen or range is opened. */
export function useRange(): Range {
  const { screen, query } = useAddress();
  const { last, from, to } = query;
  return useMemo(() => rangeOf(query), [screen, last, from, to]);
}

/** The members of a range that the API reads. */
export function rangeQuery({ from, to }: Range): Omit<Range, 'last'> {
  return to === undefined ? { from } : { from, to };
}
