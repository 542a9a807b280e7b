import { median } from '../measure.mjs';

/**
 * How many of each sort were done in a second, the sorts in turn, so that what else the machine does meets all of them
 * alike; the first round only warms up. Medians, and the median of each round's ratio to the first sort.
 *
 * @param {readonly (() => Promise<number>)[]} sorts each works for a while and answers its rate
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
    /** Of the first sort to this one. */
    ratio: median(own.map((rate, round) => first[round] / rate)),
  }));
}

/** `callers` that call again as soon as they are answered, for so long; answers calls per second. */
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
