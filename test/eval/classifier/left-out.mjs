import { isJudged } from '../../../dist/libs/engine/src/screening/classifier/language.js';
import { scoreOf } from '../../../dist/libs/engine/src/screening/classifier/model.js';
import { readOwnExamples, readOwnTexts } from './own-texts.mjs';
import { disguisedRowsOf, rowsOf } from './rows.mjs';
import { train } from './training.mjs';

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
 * The score of every sample by a model that was trained without its source; `null` where it is not judged.
 *
 * @param {readonly import('../samples.mjs').Sample[]} samples
 * @param {(fold: string) => void} onFold
 * @returns {readonly { readonly fold: string, readonly score: number | null }[]}
 */
export function leftOutScores(samples, onFold = () => {}) {
  const { rows, ownRows, others } = trainingRows(samples);
  const all = [...rows, ...others, ...ownRows];
  const models = new Map();
  for (const fold of new Set(rows.map((row) => row.fold))) {
    onFold(fold);
    models.set(fold, train(all.filter((row) => row.fold !== fold)));
  }
  return rows.map((row) => ({ fold: row.fold, score: judge(row, models.get(row.fold)) }));
}

/**
 * The score of every own text by a model that was trained without a quarter of them.
 *
 * @param {readonly import('../samples.mjs').Sample[]} samples
 */
export function leftOutOwnScores(samples) {
  const { rows, ownRows, others } = trainingRows(samples);
  const scores = [];
  for (let part = 0; part < OWN_PARTS; part++) {
    const model = train([...rows, ...others, ...ownRows.filter((_, index) => index % OWN_PARTS !== part)]);
    for (let index = part; index < ownRows.length; index += OWN_PARTS) {
      const { source, cls } = ownRows[index];
      scores[index] = { source, cls, score: judge(ownRows[index], model) };
    }
  }
  return scores;
}

/** @param {import('./rows.mjs').Row} row */
export function judge({ parts, indices }, model) {
  if (!isJudged(parts.join(' '), model.trigramLevels)) return null;
  return scoreOf({ indices, count: indices.length }, model);
}
