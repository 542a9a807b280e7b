const UNITS = [
  ['second', 1000, 60],
  ['minute', 60_000, 60],
  ['hour', 3_600_000, 24],
  ['day', 86_400_000, Number.POSITIVE_INFINITY],
] as const;

const JUST_NOW_MS = 10_000;

/** `just now`, `2 minutes ago` */
export function ago(since: Date, now: Date): string {
  const elapsed = now.getTime() - since.getTime();
  return elapsed < JUST_NOW_MS ? 'just now' : `${inWords(elapsed)} ago`;
}

/** `in 2 hours`, `now` */
export function ahead(until: Date, now: Date): string {
  const left = until.getTime() - now.getTime();
  return left < 500 ? 'now' : `in ${inWords(left)}`;
}

function inWords(duration: number): string {
  for (const [unit, length, count] of UNITS) {
    const amount = Math.max(1, Math.round(duration / length));
    if (amount < count) return `${amount} ${unit}${amount === 1 ? '' : 's'}`;
  }
  return 'a long time';
}
