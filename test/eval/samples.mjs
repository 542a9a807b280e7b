import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** @typedef {{ text: string, source: string, cls: 'attack' | 'benign' | 'hard' }} Sample */

/** Classes of samples: attacks, and two kinds of harmless texts. */
export const CLASSES = ['attack', 'benign', 'hard'];

/**
 * The labelled texts of every `*.jsonl` in a folder and its subfolders, ordered by file name.
 *
 * @param {string} folder
 * @returns {readonly Sample[]}
 */
export function readSamples(folder) {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.jsonl'),
  );
  return files.toSorted().flatMap((name) => readFile(join(folder, name)));
}

/** Identifies a set of texts in any order. @param {readonly Sample[]} samples */
export function textsDigest(samples) {
  const lines = samples.map(({ text, source, cls }) => JSON.stringify([source, cls, text])).toSorted();
  return createHash('sha256').update(lines.join('\n')).digest('hex').slice(0, 16);
}

/** @param {string} path */
function readFile(path) {
  return readFileSync(path, 'utf8')
    .split('\n')
    .flatMap((line, index) => (line.trim() === '' ? [] : [parse(line, `${path}:${index + 1}`)]));
}

/**
 * A line without a class has the class of its label: 1 is an attack.
 *
 * @param {string} line
 * @param {string} place
 * @returns {Sample}
 */
function parse(line, place) {
  const { text, label, source, cls = label === 1 ? 'attack' : 'benign' } = JSON.parse(line);
  if (typeof text !== 'string' || typeof source !== 'string' || !CLASSES.includes(cls)) {
    throw new Error(`${place} is no labelled text: it needs text, source, and cls or label.`);
  }
  return { text, source, cls };
}
