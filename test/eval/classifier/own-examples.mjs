import { readdirSync, readFileSync } from 'node:fs';
import { BUILT_IN_RULES } from '../../../dist/libs/engine/src/screening/rules/built-in-rules.js';

const FOLDER = new URL('../../../libs/engine/src/screening/examples/', import.meta.url);

/** The name of the project's own texts as a source. */
export const SOURCE = 'examples';

/**
 * The examples of the rules as texts to train on: the harmless ones differ from attacks in a few words only.
 *
 * @returns {readonly import('../samples.mjs').Sample[]}
 */
export function readOwnExamples() {
  const corpus = readdirSync(FOLDER)
    .toSorted()
    .flatMap((name) => Object.values(JSON.parse(readFileSync(new URL(name, FOLDER), 'utf8'))))
    .flatMap(({ attacks = [], honest = [] }) => samplesOf(attacks, honest));
  const rules = BUILT_IN_RULES.filter(({ id }) => !id.startsWith('embedded.'));
  return [
    ...corpus,
    ...rules.flatMap(({ examples = [], nearMisses = [] }) => samplesOf(examples, nearMisses)),
  ];
}

/** @returns {readonly import('../samples.mjs').Sample[]} */
function samplesOf(attacks, honest) {
  return [
    ...attacks.map((text) => ({ text, source: SOURCE, cls: /** @type {const} */ ('attack') })),
    ...honest.map((text) => ({ text, source: SOURCE, cls: /** @type {const} */ ('hard') })),
  ];
}
