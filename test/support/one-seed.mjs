import { configureGlobal } from 'fast-check';

/** The seed of every random property, so that a commit always gives the same result. */
const SEED = 20_261_121;

const { FAST_CHECK_SEED: wanted = SEED } = process.env;

/** With `random`, fast-check draws a seed for each property and prints it after a failure. */
if (wanted !== 'random') {
  if (!Number.isInteger(Number(wanted))) throw new Error('FAST_CHECK_SEED is a whole number, or "random".');
  configureGlobal({ seed: Number(wanted) });
}
