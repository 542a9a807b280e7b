import { isJudged } from '../../../dist/libs/engine/src/screening/classifier/language.js';
import { scoreOf, wordScoreOf } from '../../../dist/libs/engine/src/screening/classifier/model.js';
import { readOwnExamples, readOwnTexts } from './own-texts.mjs';
import { disguisedRowsOf, rowsOf } from './rows.mjs';
import { train } from './training.mjs';

/**
 * A text with its score, and the score of its words alone: `Infinity` where it does not decide. `null`: the text is not judged.
 *
 * @typedef {{
 *   readonly source: string, readonly cls: 'attack' | 'benign' | 'hard', readonly fold: string,
 *   readonly score: number | null, readonly wordScore?: number,
 * }} Scored
 */

/** Parts of the own texts that are left out in turn. */
const OWN_PARTS = 4;

/**
 * @param {readonly import('../samples.mjs').Sample[]} samples
 * @returns the rows of the samples, and everything else that models are trained on
 */
export function trainingRows(samples) {
  const rows = rowsOf(samples);
  const ownRows = rowsOf(readOwnTexts());
  const others = [...rowsOf(readOwnExamples()), ...disguisedRowsOf(samples)];
  return { rows, ownRows, others };
}

/**
 * Judges every sample by a model that was trained without its source.
 *
 * @param {readonly import('../samples.mjs').Sample[]} samples
 * @param {(fold: string) => void} onFold
 * @returns {readonly Scored[]}
 */
export function leftOutScores(samples, onFold = () => {}) {
  const { rows, ownRows, others } = trainingRows(samples);
  const all = [...rows, ...others, ...ownRows];
  const models = new Map();
  for (const fold of new Set(rows.map((row) => row.fold))) {
    onFold(fold);
    models.set(fold, train(all.filter((row) => row.fold !== fold)));
  }
  return rows.map((row) => judge(row, models.get(row.fold)));
}

/**
 * Judges every own text by a model that was trained without a quarter of them.
 *
 * @param {readonly import('../samples.mjs').Sample[]} samples
 * @returns {readonly Scored[]}
 */
export function leftOutOwnScores(samples) {
  const { rows, ownRows, others } = trainingRows(samples);
  const scores = [];
  for (let part = 0; part < OWN_PARTS; part++) {
    const model = train([...rows, ...others, ...ownRows.filter((_, index) => index % OWN_PARTS !== part)]);
    for (let index = part; index < ownRows.length; index += OWN_PARTS) {
      scores[index] = judge(ownRows[index], model);
    }
  }
  return scores;
}

/**
 * @param {import('./rows.mjs').Row} row
 * @returns {Scored}
 */
export function judge({ source, cls, fold, ...row }, model) {
  const { units, isLatin, languages, indices, wordCount, hasUsualWords } = row;
  if (!isLatin || !isJudged(languages, units, model.trigramLevels)) return { source, cls, fold, score: null };
  const sum = indices.reduce((total, index) => total + model.weights[index], 0);
  return {
    source,
    cls,
    fold,
    score: scoreOf({ count: indices.length, sum }, model),
    wordScore: hasUsualWords ? wordScoreOf(indices, wordCount, model.words) : Infinity,
  };
}
