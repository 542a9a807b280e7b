import type { FalseAlarmRate } from '#contracts/screening.js';
import type { Features } from './features.js';

/** A linear model in integers. */
export interface Model {
  readonly weights: Int8Array;
  /** Multiplies the mean weight, so that scores of all models have the same unit. */
  readonly scale: number;
  readonly bias: number;
  /** For every trigram how often it occurs in the training. */
  readonly trigramLevels: Uint8Array;
}

/** A trained model with its thresholds, as `npm run train` writes it. */
export interface Trained {
  /** A digest of the model. */
  readonly version: string;
  /** A digest of the texts that it was trained on. */
  readonly texts: string;
  readonly scale: number;
  readonly bias: number;
  readonly thresholds: Readonly<Record<FalseAlarmRate, number>>;
  /** Base64, one byte each. */
  readonly trigramLevels: string;
  /** Base64, one byte each. */
  readonly weights: string;
}

/**
 * The score of a text in thousandths of the logarithm of the odds that it is an attack. Integer arithmetic, so that every
 * processor and every version of Node gives the same score.
 */
export function scoreOf({ indices, count }: Features, model: Model): number {
  let sum = 0;
  for (let at = 0; at < count; at++) sum += model.weights[indices[at] ?? 0] ?? 0;
  return scaled(sum, count, model) + model.bias;
}

/** What a sum of weights adds to the score of a text with this number of features. */
export function scaled(sum: number, featureCount: number, { scale }: Model): number {
  return featureCount === 0 ? 0 : Math.trunc((sum * scale) / integerRoot(featureCount));
}

/** 256 times the square root, rounded down. */
function integerRoot(value: number): number {
  const square = value * 65_536;
  let root = Math.floor(Math.sqrt(square));
  while (root * root > square) root -= 1;
  while ((root + 1) * (root + 1) <= square) root += 1;
  return root;
}
