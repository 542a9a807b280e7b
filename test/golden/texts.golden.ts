import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { afterAll, beforeAll, describe, it } from '@jest/globals';
import { RENDERINGS } from '#contracts/output/output.js';
import { ORIGINS } from '#contracts/screening/screening.js';
import type { Engine } from '#engine/create-engine.js';
import { bench } from '../support/engine.js';
import { compareWithGolden, flatJson } from './golden.js';

const ROOT = join(import.meta.dirname, '../..');
const SCREENED = [
  'test/eval/embedded',
  'test/eval/everyday',
  'test/eval/classifier/texts',
  'libs/engine/src/controls/screening/examples',
];
const SANITIZED = ['test/renderers/answers', 'test/renderers/answers/second', 'test/eval/everyday'];

/** `GOLDEN_TEXTS=/some/folder` writes every result there, so that `diff -r` shows where two commits differ. */
const DETAILS = process.env['GOLDEN_TEXTS'];

let engine: Engine;
beforeAll(async () => void ({ engine } = await bench()));
afterAll(() => engine.stop());

describe('golden texts', () => {
  it('verdicts of the committed texts', async () => {
    compareWithGolden('texts/verdicts.txt', await hashes(SCREENED.flatMap(filesIn), verdicts));
  });

  it('sanitized outputs of the committed texts in every rendering', async () => {
    compareWithGolden('texts/sanitized.txt', await hashes(SANITIZED.flatMap(filesIn), sanitized));
  });
});

type Judge = (text: string) => Promise<Readonly<Record<string, string>>>;

/** What screening decides on a text of each origin. */
async function verdicts(text: string): Promise<Readonly<Record<string, string>>> {
  const found: Record<string, string> = {};
  for (const origin of ORIGINS.filter((one) => one === 'prompt' || one === 'document')) {
    const {
      normalized: _,
      ruleset_version: _version,
      ...verdict
    } = await engine.sandbox.screen(text, { origin });
    found[origin] = flatJson(verdict);
  }
  return found;
}

async function sanitized(text: string): Promise<Readonly<Record<string, string>>> {
  const found: Record<string, string> = {};
  for (const rendering of RENDERINGS)
    found[rendering] = flatJson(await engine.sandbox.sanitize(text, rendering));
  return found;
}

/** Per file: the number of texts, and a hash of the results of each kind. */
async function hashes(files: readonly string[], judge: Judge): Promise<Readonly<Record<string, object>>> {
  const found: Record<string, object> = {};
  for (const file of files) {
    const texts = textsOf(file);
    const parts: Record<string, string[]> = {};
    for (const text of texts)
      for (const [kind, result] of Object.entries(await judge(text))) (parts[kind] ??= []).push(result);
    const name = relative(ROOT, file);
    const kinds = Object.entries(parts);
    found[name] = {
      texts: texts.length,
      ...Object.fromEntries(kinds.map(([kind, results]) => [kind, hashOf(results.join('\n'))])),
    };
    if (DETAILS === undefined) continue;
    mkdirSync(DETAILS, { recursive: true });
    for (const [kind, results] of kinds)
      writeFileSync(join(DETAILS, `${name.replaceAll('/', '_')}.${kind}.txt`), `${results.join('\n')}\n`);
  }
  return found;
}

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 24);

function filesIn(folder: string): readonly string[] {
  const path = join(ROOT, folder);
  return readdirSync(path)
    .filter((name) => /\.(txt|json|jsonl|md)$/.test(name) && name !== 'README.md')
    .toSorted()
    .map((name) => join(path, name));
}

/** Every string of a JSON file that could be a text, or the parts of a text file. */
function textsOf(file: string): readonly string[] {
  const content = readFileSync(file, 'utf8');
  if (file.endsWith('.jsonl'))
    return content
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { text?: string; payload?: string })
      .map(({ text, payload }) => text ?? payload ?? '');
  if (file.endsWith('.json')) return stringsIn(JSON.parse(content));
  return content.split(/^=====\n/m);
}

function stringsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsIn) : [];
}
