const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** After each failed attempt, until the next; the last one again and again. As Standard Webhooks recommends. */
const DELAYS = [
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
] as const;

const JITTER = 0.2;
const LONGEST_WISH = 24 * HOUR;

/** For how long a delivery is tried: what fails after that is a dead letter. */
export const TRIED_FOR_MS = 72 * HOUR;

/** Spread, so that what failed together does not come back together; never before the receiver asked. */
export function delayAfter(attempts: number, retryAfterMs: number | null, random: () => number): number {
  const delay = DELAYS[attempts] ?? 24 * HOUR;
  const spread = Math.round(delay * (1 + JITTER * (2 * random() - 1)));
  return Math.max(spread, Math.min(retryAfterMs ?? 0, LONGEST_WISH));
}
