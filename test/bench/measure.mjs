/** The duration of `work` in milliseconds. */
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
 * The median time of each function. They run alternately, so that other load of the machine affects all of them. The
 * first two rounds are a warm-up.
 *
 * @param {number} rounds
 * @param {readonly (() => unknown)[]} works
 */
export async function interleaved(rounds, works) {
  return (await timesInTurn(rounds, works)).map(median);
}

/**
 * The times of each function per round.
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

/** The median of the ratios per round, which is robust against changes of the load. */
export function ratioOf(/** @type {readonly number[]} */ times, /** @type {readonly number[]} */ others) {
  return median(times.map((time, round) => time / (others[round] ?? Number.NaN)));
}
