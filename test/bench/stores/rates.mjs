import { median } from '../measure.mjs';

/**
 * The rates of several kinds of work per second. They run alternately, so that other load affects all of them; the first
 * round is a warm-up. Returns medians, and the median of the ratios to the first kind per round.
 *
 * @param {readonly (() => Promise<number>)[]} sorts each runs for some time and returns its rate
 */
export async function interleavedRates(rounds, sorts) {
  const rates = sorts.map(() => []);
  for (let round = 0; round <= rounds; round++) {
    for (const [index, sort] of sorts.entries()) {
      const rate = await sort();
      if (round > 0) rates[index].push(rate);
    }
  }
  const [first] = rates;
  return rates.map((own) => ({
    rate: median(own),
    /** The ratio of the first kind to this one. */
    ratio: median(own.map((rate, round) => first[round] / rate)),
  }));
}

/** Runs `callers` parallel loops of calls for the given time and returns the calls per second. */
export async function rateOf(call, { callers, milliseconds }) {
  const started = performance.now();
  const until = started + milliseconds;
  let done = 0;
  await Promise.all(
    Array.from({ length: callers }, async (_, caller) => {
      while (performance.now() < until) {
        await call(caller);
        done++;
      }
    }),
  );
  return (done / (performance.now() - started)) * 1000;
}
