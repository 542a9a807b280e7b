import type { FalseAlarmRate } from '#contracts/screening.js';

/** Number of weights. A feature is the index of its weight. */
export const FEATURES = 1 << 17;

const INDEX_SHIFT = 32 - 17;

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
  /** A text whose words alone have a lower score is harmless, so its other features are not read. */
  readonly wordLimit: number;
  readonly thresholds: Readonly<Record<FalseAlarmRate, number>>;
  /** Base64, one byte each. */
  readonly trigramLevels: string;
  /** Base64, one byte each. */
  readonly weights: string;
}

/** The number of the features of a text, and the sum of their weights. */
export interface FeatureSum {
  readonly count: number;
  readonly sum: number;
}

/**
 * The score of a text in thousandths of the logarithm of the odds that it is an attack. Integer arithmetic, so that every
 * processor and every version of Node gives the same score.
 */
export function scoreOf({ sum, count }: FeatureSum, model: Model): number {
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

/** One step of FNV-1a. */
export function mixed(hash: number, unit: number): number {
  return Math.imul(hash ^ unit, 0x0100_0193);
}

/** The feature of a hash: its upper bits after one more mixing step, because the lower bits of FNV-1a are weak. */
export function featureOf(hash: number): number {
  return Math.imul(hash ^ (hash >>> 15), 0x85eb_ca6b) >>> INDEX_SHIFT;
}
