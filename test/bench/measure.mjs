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
  const times = works.map(() => /** @type {number[]} */ ([]));
  for (let round = 0; round < rounds + 2; round++) {
    for (const [index, work] of works.entries()) {
      const time = await timed(work);
      if (round > 1) times[index]?.push(time);
    }
  }
  return times.map(median);
}
