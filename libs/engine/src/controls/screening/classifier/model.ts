import type { ClassifierThreshold } from '#contracts/screening/screening.js';

/** Number of weights. A feature is the index of its weight. */
export const FEATURES = 1 << 17;

const INDEX_SHIFT = 32 - 17;

/** Number of weights of the model of words. */
export const WORD_WEIGHTS = 1 << 15;

const WORD_SHIFT = 17 - 15;

/** A linear model in integers. */
interface LinearModel {
  readonly weights: Int8Array;
  /** Multiplies the mean weight, so that scores of all models have the same unit. */
  readonly scale: number;
  readonly bias: number;
}

export interface Model extends LinearModel {
  /** For the words alone, of which several share a weight. */
  readonly words: LinearModel;
}

/** A trained model with its thresholds, as `npm run x -- train` writes it. Weights are Base64, one byte each. */
export interface Trained {
  /** A digest of the model. */
  readonly version: string;
  /** A digest of the texts that it was trained on. */
  readonly texts: string;
  readonly scale: number;
  readonly bias: number;
  readonly thresholds: Readonly<Record<ClassifierThreshold, number>>;
  readonly words: {
    readonly scale: number;
    readonly bias: number;
    /** The other features of a text are read only if the score of its words is at least this. */
    readonly limit: number;
    readonly weights: string;
  };
  readonly weights: string;
}

export function readModel({ weights, words, ...model }: Trained): Model {
  const bytes = (base64: string): Int8Array => new Int8Array(Buffer.from(base64, 'base64'));
  return { ...model, weights: bytes(weights), words: { ...words, weights: bytes(words.weights) } };
}

/** The number of the features of a text, and the sum of their weights. */
interface FeatureSum {
  readonly count: number;
  readonly sum: number;
}

/**
 * The score of a text in thousandths of the logarithm of the odds that it is an attack. Integer arithmetic, so that every
 * processor and every version of Node gives the same score.
 */
export function scoreOf({ sum, count }: FeatureSum, model: LinearModel): number {
  return scaled(sum, count, model) + model.bias;
}

/** The score of the words of a text. @param indices begins with the features of the words */
export function wordScoreOf(indices: Int32Array, words: number, model: LinearModel): number {
  let sum = 0;
  for (let at = 0; at < words; at++) sum += model.weights[wordWeightOf(indices[at] ?? 0)] ?? 0;
  return scoreOf({ sum, count: words }, model);
}

/** The index of the weight of a word in the model of words. */
export function wordWeightOf(feature: number): number {
  return feature >>> WORD_SHIFT;
}

/** What a sum of weights adds to the score of a text with this number of features. */
export function scaled(sum: number, featureCount: number, { scale }: LinearModel): number {
  return featureCount === 0 ? 0 : Math.trunc((sum * scale) / Math.floor(256 * Math.sqrt(featureCount)));
}

/** One step of FNV-1a. */
export function mixed(hash: number, unit: number): number {
  return Math.imul(hash ^ unit, 0x0100_0193);
}

/** The feature of a hash: its upper bits after one more mixing step, because the lower bits of FNV-1a are weak. */
export function featureOf(hash: number): number {
  return Math.imul(hash ^ (hash >>> 15), 0x85eb_ca6b) >>> INDEX_SHIFT;
}
