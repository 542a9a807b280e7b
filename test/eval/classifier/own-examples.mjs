import { readdirSync, readFileSync } from 'node:fs';

const FOLDER = new URL('../../../libs/engine/src/screening/examples/', import.meta.url);

/**
 * The examples of the rules as texts to train on: the harmless ones differ from attacks in a few words only.
 *
 * @returns {readonly import('../samples.mjs').Sample[]}
 */
export function readOwnExamples() {
  return readdirSync(FOLDER)
    .toSorted()
    .flatMap((name) => Object.values(JSON.parse(readFileSync(new URL(name, FOLDER), 'utf8'))))
    .flatMap(({ attacks = [], honest = [] }) => [
      ...attacks.map((text) => ({ text, source: 'examples', cls: /** @type {const} */ ('attack') })),
      ...honest.map((text) => ({ text, source: 'examples', cls: /** @type {const} */ ('hard') })),
    ]);
}
