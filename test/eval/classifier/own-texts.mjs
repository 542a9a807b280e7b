import { readdirSync, readFileSync } from 'node:fs';

/** @typedef {import('../samples.mjs').Sample} Sample */

const EXAMPLES = new URL('../../../libs/engine/src/screening/examples/', import.meta.url);

const TEXTS = new URL('texts/', import.meta.url);

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

/** Short everyday prompts to check the model with. @returns {readonly Sample[]} */
export function readEverydayPrompts() {
  return Object.entries(read(TEXTS, 'everyday.json')).flatMap(([language, texts]) =>
    texts.map((text) => ({ text, source: `everyday ${language}`, cls: /** @type {const} */ ('benign') })),
  );
}
