import { isEnglish } from '../../../dist/libs/engine/src/screening/classifier/language.js';
import { scoreOf } from '../../../dist/libs/engine/src/screening/classifier/model.js';
import { readOwnExamples } from './own-examples.mjs';
import { disguisedRowsOf, rowsOf } from './rows.mjs';
import { train } from './training.mjs';

/**
 * The score of every sample by a model that was trained without its source; `null` where it is not judged.
 *
 * @param {readonly import('../samples.mjs').Sample[]} samples
 * @param {(fold: string) => void} onFold
 * @returns {readonly { readonly fold: string, readonly score: number | null }[]}
 */
export function leftOutScores(samples, onFold = () => {}) {
  const rows = rowsOf(samples);
  const all = [...rows, ...rowsOf(readOwnExamples()), ...disguisedRowsOf(samples)];
  const models = new Map();
  for (const fold of new Set(rows.map((row) => row.fold))) {
    onFold(fold);
    models.set(fold, train(all.filter((row) => row.fold !== fold)));
  }
  return rows.map((row) => ({ fold: row.fold, score: judge(row, models.get(row.fold)) }));
}

/** @param {import('./rows.mjs').Row} row */
export function judge({ parts, indices }, model) {
  if (!isEnglish(parts.join(' '), model.trigramLevels)) return null;
  return scoreOf({ indices, count: indices.length }, model);
}
