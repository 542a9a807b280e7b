import { scoreOf, wordScoreOf } from '../../../dist/libs/engine/src/controls/screening/classifier/model.js';
import { readKinds, readOwnExamples, readOwnTexts } from './own-texts.mjs';
import { disguisedRowsOf, rowsOf } from './rows.mjs';
import { train } from './training.mjs';

/**
 * A text with the scores of its windows, each with the score of its words alone: `Infinity` where it does not decide. A
 * text without any is not judged.
 *
 * @typedef {{
 *   readonly source: string, readonly cls: 'attack' | 'benign' | 'hard', readonly fold: string,
 *   readonly windows: readonly { readonly score: number, readonly wordScore: number }[],
 * }} Judged
 */

/** Parts of the own texts that are left out in turn. */
const OWN_PARTS = 4;

/** @typedef {import('../samples.mjs').Sample} Sample */

/**
 * The rows of the samples and of the own texts, and everything else that models are trained on.
 *
 * @param {readonly Sample[]} samples
 */
export function trainingRows(samples) {
  const rows = rowsOf(samples);
  const ownRows = rowsOf(readOwnTexts());
  const others = [...rowsOf(readOwnExamples()), ...disguisedRowsOf(samples)];
  return { rows, ownRows, others };
}

/**
 * Judges every sample by a model that was trained without its source, every own text by one that was trained without a
 * quarter of them, and the kinds, which no model is trained on, by one that was trained with all of that.
 *
 * @param {readonly Sample[]} samples
 * @param {(fold: string) => void} onFold
 */
export function leftOutScores(samples, onFold = () => {}) {
  const { rows, ownRows, others } = trainingRows(samples);
  const all = [...rows, ...others, ...ownRows];
  const models = new Map();
  for (const fold of new Set(rows.map((row) => row.fold))) {
    onFold(fold);
    models.set(fold, train(all.filter((row) => row.fold !== fold)));
  }
  const own = [];
  for (let part = 0; part < OWN_PARTS; part++) {
    onFold(`part ${part + 1} of ${OWN_PARTS} of the own texts`);
    const model = train([...rows, ...others, ...ownRows.filter((_, index) => index % OWN_PARTS !== part)]);
    for (let index = part; index < ownRows.length; index += OWN_PARTS)
      own[index] = judge(ownRows[index], model);
  }
  onFold('the kinds');
  const model = train(all);
  return {
    samples: rows.map((row) => judge(row, models.get(row.fold))),
    own,
    kinds: rowsOf(readKinds()).map((row) => judge({ ...row, fold: row.source }, model)),
    model,
  };
}

/**
 * @param {import('./rows.mjs').Row} row
 * @returns {Judged}
 */
export function judge({ source, cls, fold, judged }, model) {
  const windows = judged.map(({ indices, wordCount, hasUsualWords }) => ({
    score: scoreOf(
      { count: indices.length, sum: indices.reduce((total, index) => total + model.weights[index], 0) },
      model,
    ),
    wordScore: hasUsualWords ? wordScoreOf(indices, wordCount, model.words) : Infinity,
  }));
  return { source, cls, fold, windows };
}
