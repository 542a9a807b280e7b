import { configureGlobal } from 'fast-check';

/** Of every random property, so that one commit has one verdict. */
const SEED = 20_261_121;

const { FAST_CHECK_SEED: wanted = SEED } = process.env;

/** Left to itself, fast-check draws a seed for each property, and names it where one fails. */
if (wanted !== 'random') {
  if (!Number.isInteger(Number(wanted))) throw new Error('FAST_CHECK_SEED is a whole number, or "random".');
  configureGlobal({ seed: Number(wanted) });
}
