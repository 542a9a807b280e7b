const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** After each failed attempt, until the next. Together a little over three days, as Standard Webhooks recommends. */
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

/** `null`: enough. Spread, so that what failed together does not come back together; never before the receiver asked. */
export function delayAfter(
  attempts: number,
  retryAfterMs: number | null,
  random: () => number,
): number | null {
  const delay = DELAYS[attempts];
  if (delay === undefined) return null;
  const spread = Math.round(delay * (1 + JITTER * (2 * random() - 1)));
  return Math.max(spread, Math.min(retryAfterMs ?? 0, LONGEST_WISH));
}
