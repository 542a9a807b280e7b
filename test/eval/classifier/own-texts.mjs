import { readdirSync, readFileSync } from 'node:fs';
import { readHalf } from '../embedded.mjs';

/** @typedef {import('../samples.mjs').Sample} Sample */

const EXAMPLES = new URL('../../../libs/engine/src/controls/screening/examples/', import.meta.url);

const TEXTS = new URL('texts/', import.meta.url);

/** Documents that have been read before, so that the others can still be used to measure. */
const READ_HALVES = /** @type {const} */ ([
  'dev',
  'dev2',
  'unseen',
  'imitated',
  'independent',
  'kinds',
  'foreign',
]);

const read = (folder, name) => JSON.parse(readFileSync(new URL(name, folder), 'utf8'));

/**
 * The examples of the rules as texts to train on: the harmless ones differ from attacks in a few words only.
 *
 * @returns {readonly Sample[]}
 */
export function readOwnExamples() {
  return readdirSync(EXAMPLES)
    .toSorted()
    .flatMap((name) => Object.values(read(EXAMPLES, name)))
    .flatMap(({ attacks = [], honest = [] }) => [
      ...attacks.map((text) => ({ text, source: 'examples', cls: /** @type {const} */ ('attack') })),
      ...honest.map((text) => ({ text, source: 'examples', cls: /** @type {const} */ ('hard') })),
    ]);
}

/** Texts to train on that were written for this project: see texts/README.md. @returns {readonly Sample[]} */
export function readOwnTexts() {
  return ['german', 'english'].flatMap((language) =>
    Object.entries(read(TEXTS, `${language}.json`)).flatMap(([cls, texts]) =>
      texts.map((text) => ({ text, source: `own ${language}`, cls })),
    ),
  );
}

/**
 * Honest texts of kinds that no model is trained on, for the thresholds.
 *
 * @returns {readonly Sample[]}
 */
export function readKinds() {
  const kinds = Object.values(read(TEXTS, 'kinds.json')).flatMap((lists) => Object.entries(lists));
  const prompts = Object.values(read(TEXTS, 'everyday.json')).map((texts) => ['chat', texts]);
  const documents = [...READ_HALVES, 'harmless'].map((half) => [
    half === 'harmless' ? 'documents about bots' : 'documents',
    readHalf(half)
      .filter(({ label, lang }) => label === 0 && ['en', 'de'].includes(lang))
      .map(({ text }) => text),
  ]);
  return [...kinds, ...prompts, ...documents].flatMap(([source, texts]) =>
    texts.map((text) => ({ text, source, cls: /** @type {const} */ ('hard') })),
  );
}
