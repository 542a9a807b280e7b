import { normalizedForClassifier } from '../../../dist/libs/engine/src/controls/screening/classifier/classifier.js';
import {
  FeatureReader,
  PlainText,
  windowsOf,
} from '../../../dist/libs/engine/src/controls/screening/classifier/features.js';
import { isJudged, isLatin } from '../../../dist/libs/engine/src/controls/screening/classifier/language.js';
import { DISGUISES } from '../disguises.mjs';

/** The features of a window. The first `wordCount` indices are words. */
/** @typedef {{ readonly indices: Int32Array, readonly wordCount: number, readonly hasUsualWords: boolean }} Window */

/**
 * A text to train on or to judge.
 *
 * @typedef {{
 *   readonly cls: 'attack' | 'benign' | 'hard', readonly source: string, readonly fold: string,
 *   readonly windows: readonly Window[], readonly judged: readonly Window[], readonly weight: number,
 * }} Row `judged`: the windows that the classifier judges
 */

/** Sources with fewer rows count as one. */
const SMALL_SOURCE = 100;

/** Missed attacks cost more than false alarms, because the threshold is chosen afterwards. */
const CLASS_WEIGHTS = { attack: 2, benign: 1, hard: 1 };

const DISGUISED_WEIGHT = 0.1;

/** Every attack is also read in disguise, and one of this many harmless texts. */
const HARMLESS_PER_DISGUISED = 4;

/** Disguises that leave a text in letters that the classifier reads. The others are left to the decoders. */
const READABLE_DISGUISES = [
  'emphasis in words',
  'tags in words',
  'concatenation',
  'hyphens in words',
  'line breaks in words',
  'swapped letters',
  'dropped vowel',
];

/**
 * @param {readonly import('../samples.mjs').Sample[]} samples
 * @returns {readonly Row[]} one for each sample, in the same order
 */
export function rowsOf(samples) {
  const foldOf = folds(samples);
  const reader = textReader();
  return samples.map((sample) => row(reader, sample, foldOf(sample.source), 1));
}

/**
 * @param {readonly import('../samples.mjs').Sample[]} samples
 * @returns {readonly Row[]} disguised copies of all attacks and of a part of the harmless texts
 */
export function disguisedRowsOf(samples) {
  const foldOf = folds(samples);
  const reader = textReader();
  return samples.flatMap((sample, index) => {
    if (sample.cls !== 'attack' && index % HARMLESS_PER_DISGUISED !== 0) return [];
    const name = READABLE_DISGUISES[index % READABLE_DISGUISES.length];
    const text = DISGUISES.get(name).hide(sample.text.slice(0, 2048));
    return [row(reader, { ...sample, text }, foldOf(sample.source), DISGUISED_WEIGHT)];
  });
}

const textReader = () => ({ plain: new PlainText(), features: new FeatureReader() });

function row(reader, { text, source, cls }, fold, factor) {
  const read = [...windowsOf(normalizedForClassifier(text))].map((window) => windowOf(reader, window));
  const windows = read.map(({ window }) => window);
  const judged = read.filter((each) => each.isJudged).map(({ window }) => window);
  return { cls, source, fold, windows, judged, weight: (CLASS_WEIGHTS[cls] * factor) / windows.length };
}

function windowOf({ plain, features }, text) {
  const { hasUsualWords, count: wordCount, languages } = features.readWords(plain.read(text));
  const isRead = plain.latin > 0 && isLatin(plain.latin, plain.otherLetters) && isJudged(languages);
  const { indices, count } = features.readOthers(plain);
  return { isJudged: isRead, window: { indices: indices.slice(0, count), wordCount, hasUsualWords } };
}

/**
 * Sources that were collected together (`deepset`, `deepset-benign`) are left out together, because their texts are
 * about the same things.
 */
function folds(samples) {
  const collectionOf = (source) => source.split('-', 1)[0];
  const sizes = new Map();
  for (const { source } of samples) {
    sizes.set(collectionOf(source), (sizes.get(collectionOf(source)) ?? 0) + 1);
  }
  return (source) => {
    const collection = collectionOf(source);
    return sizes.get(collection) < SMALL_SOURCE ? 'small sources' : collection;
  };
}
