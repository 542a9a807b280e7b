/** Milliseconds that `work` takes. */
export async function timed(/** @type {() => unknown} */ work) {
  const started = performance.now();
  const result = work();
  if (result instanceof Promise) await result;
  return performance.now() - started;
}

export function quantile(/** @type {readonly number[]} */ numbers, /** @type {number} */ share) {
  const sorted = numbers.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

export function median(/** @type {readonly number[]} */ numbers) {
  return quantile(numbers, 0.5);
}

/**
 * The median time of each work, taken in turn, so that what else the machine does meets all of them alike. The first
 * two rounds only warm up.
 *
 * @param {number} rounds
 * @param {readonly (() => unknown)[]} works
 */
export async function interleaved(rounds, works) {
  return (await timesInTurn(rounds, works)).map(median);
}

/**
 * The times behind those medians, round by round: times of one round belong together.
 *
 * @param {number} rounds
 * @param {readonly (() => unknown)[]} works
 */
export async function timesInTurn(rounds, works) {
  const times = works.map(() => /** @type {number[]} */ ([]));
  for (let round = 0; round < rounds + 2; round++) {
    for (const [index, work] of works.entries()) {
      const time = await timed(work);
      if (round > 1) times[index]?.push(time);
    }
  }
  return times;
}

/** Of one work's times to another's: the median of what each round says, whatever the machine did in it. */
export function ratioOf(/** @type {readonly number[]} */ times, /** @type {readonly number[]} */ others) {
  return median(times.map((time, round) => time / (others[round] ?? Number.NaN)));
}
