import {
  FEATURES,
  WORD_WEIGHTS,
  wordWeightOf,
} from '../../../dist/libs/engine/src/controls/screening/classifier/model.js';

/** @typedef {import('./rows.mjs').Row} Row */

const EPOCHS = 8;
/** The weights after later epochs are averaged, because those of a single one depend on the order of the rows. */
const FIRST_AVERAGED = 2;
const LEARNING_RATE = 0.25;
/** Rows whose error is smaller change nothing. */
const MIN_ERROR = 1e-4;
const SEED = 20;
const MAX_WEIGHT = 127;

/**
 * Logistic regression with AdaGrad, in fixed order. Only operations that IEEE 754 defines exactly are
 * used, so the result is the same on every machine.
 *
 * @param {readonly Row[]} rows
 * @returns {import('../../../dist/libs/engine/src/controls/screening/classifier/model.js').Model}
 */
export function train(rows) {
  const examples = rows.flatMap(({ windows, cls, weight }) =>
    windows.map(({ indices, wordCount }) => ({ cls, weight, indices, wordCount })),
  );
  const words = examples.map(({ indices, wordCount, ...example }) => ({
    ...example,
    indices: indices.subarray(0, wordCount).map(wordWeightOf),
  }));
  return {
    ...inIntegers(regression(examples, FEATURES)),
    words: inIntegers(regression(words, WORD_WEIGHTS)),
  };
}

/** @param {{ readonly weights: Float64Array, readonly bias: number }} model */
function inIntegers({ weights, bias }) {
  const largest = weights.reduce((most, weight) => Math.max(most, Math.abs(weight)), 0);
  const step = largest / MAX_WEIGHT;
  return {
    weights: Int8Array.from(weights, (weight) => Math.round(weight / step)),
    // The root of the number of features is 256 times as large in the model, and its scores are thousandths.
    scale: Math.round(step * 256 * 1000),
    bias: Math.round(bias * 1000),
  };
}

/** @param {readonly { readonly indices: Int32Array, readonly cls: string, readonly weight: number }[]} rows */
function regression(rows, size) {
  const weights = new Float64Array(size);
  const squares = new Float64Array(size).fill(1e-3);
  let bias = 0;
  let biasSquares = 1e-3;
  const sums = new Float64Array(size);
  let biasSum = 0;
  const random = randomIntegers(SEED);
  const order = rows.map((_, index) => index);
  for (let epoch = 0; epoch < EPOCHS; epoch++) {
    shuffle(order, random);
    for (const at of order) {
      const { indices, cls, weight } = rows[at];
      const value = 1 / Math.sqrt(Math.max(1, indices.length));
      let sum = 0;
      for (const index of indices) sum += weights[index];
      const error = (logistic(sum * value + bias) - (cls === 'attack' ? 1 : 0)) * weight;
      if (Math.abs(error) < MIN_ERROR) continue;
      const gradient = error * value;
      const square = gradient * gradient;
      for (const index of indices) {
        squares[index] += square;
        weights[index] -= (LEARNING_RATE * gradient) / Math.sqrt(squares[index]);
      }
      biasSquares += error * error;
      bias -= (LEARNING_RATE * error) / Math.sqrt(biasSquares);
    }
    if (epoch < FIRST_AVERAGED) continue;
    for (let index = 0; index < size; index++) sums[index] += weights[index];
    biasSum += bias;
  }
  const averaged = EPOCHS - FIRST_AVERAGED;
  return { weights: sums.map((sum) => sum / averaged), bias: biasSum / averaged };
}

/** Without `Math.exp`, whose last bits depend on the engine. */
function logistic(value) {
  const limited = Math.max(-30, Math.min(30, value));
  const part = -limited / 1024;
  let power = 1 + part * (1 + (part / 2) * (1 + (part / 3) * (1 + part / 4)));
  for (let doubling = 0; doubling < 10; doubling++) power *= power;
  return 1 / (1 + power);
}

function randomIntegers(seed) {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

function shuffle(order, random) {
  for (let last = order.length - 1; last > 0; last--) {
    const other = random(last + 1);
    [order[last], order[other]] = [order[other], order[last]];
  }
}
