/** With fewer samples in the second half, no line is fitted. */
const MIN_SAMPLES = 4;

/**
 * The growth over the second half of the samples: the rise of a fitted line, as a share of the mean. The first half is the
 * warm-up. A rise below `negligible` counts as none.
 *
 * @param {readonly number[]} samples at equal intervals
 */
export function growthOf(samples, negligible = 0) {
  const half = samples.slice(Math.floor(samples.length / 2));
  if (half.length < MIN_SAMPLES)
    throw new Error(`${half.length} samples in the second half are too few: the run was too short.`);
  const mean = half.reduce((sum, sample) => sum + sample, 0) / half.length;
  const center = (half.length - 1) / 2;
  const [covariance, variance] = half.reduce(
    ([one, other], sample, at) => [one + (at - center) * (sample - mean), other + (at - center) ** 2],
    [0, 0],
  );
  const rise = (covariance / variance) * (half.length - 1);
  return { mean, rise, share: Math.abs(rise) <= negligible ? 0 : rise / mean };
}
