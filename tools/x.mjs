// The scripts that package.json does not list: `npm run x` prints them, `npm run x -- NAME [arguments]` runs one.
import { spawnSync } from 'node:child_process';
import { delimiter } from 'node:path';

const JEST = 'jest --config jest.servers.config.js --selectProjects';
const BUILD = 'npm run --silent build';

/** The name, what it does, and its command, which gets the arguments at its end. */
const SCRIPTS = [
  ['build:panel', 'builds the panel', 'tsc -b libs/client && vite build apps/panel --logLevel warn'],
  ['dev:panel', 'serves the panel with changes at once, for a running demo', 'vite apps/panel'],
  ['format', 'formats all files', 'prettier --write .'],
  ['format:check', 'checks the format', 'prettier --check .'],
  [
    'lint',
    'checks the rules of the code and the words of the docs',
    'oxlint --type-aware && node test/structure/words.mjs',
  ],
  ['types', 'checks all types', 'tsc -b && tsc -p test/tsconfig.json && tsc -p apps/panel'],
  [
    'docs:check',
    'checks that docs/reference is current',
    `${BUILD} && node docs/generate-reference.mjs --check`,
  ],
  [
    'check:static',
    'format, lint, types and docs',
    ['format:check', 'lint', 'types', 'docs:check']
      .map((name) => `npm run --silent x -- ${name}`)
      .join(' && '),
  ],
  ['test:explore', 'unit tests with random properties', 'FAST_CHECK_SEED=random npm run test:unit --'],
  ['test:recipes', 'recipes, and the code of the guides', 'jest --selectProjects recipes'],
  ['test:cli', 'the built command line', 'jest --selectProjects cli'],
  ['test:pglite', 'the stores on PGlite', `${JEST} pglite`],
  ['test:pgbouncer', 'the stores behind PgBouncer', `${JEST} pgbouncer`],
  ['test:replica', 'the stores with a replica', `${JEST} replica`],
  ['test:panel', 'the panel in Chromium', `${BUILD} && node test/panel/run.mjs`],
  ['test:browser', 'sanitized outputs in Chromium', 'tsc -b libs/engine && node test/browser/xss.mjs'],
  ['test:client', 'the client in Chromium', 'tsc -b && node test/browser/client.mjs'],
  [
    'test:renderers',
    'sanitized outputs in renderers of Markdown',
    'tsc -b libs/engine && node test/renderers/check-payloads.mjs && node test/renderers/check-answers.mjs && node test/renderers/check-readmes.mjs && node test/renderers/browser.mjs --every 36',
  ],
  [
    'prove',
    'known failures of approvals, with a killed process',
    'tsc -b && jest --selectProjects prove --reporters ./test/prove/table-reporter.mjs',
  ],
  [
    'faults',
    'killed processes, full disks and hanging connections',
    'tsc -b >&2 && node test/faults/run.mjs',
  ],
  [
    'fuzz',
    'compares the linear engine with the one of JavaScript',
    'tsc -b libs/engine && node test/fuzz/linear-engine.mjs',
  ],
  ['fuzz:detectors', 'linear time of the detectors', 'tsc -b libs/engine && node test/fuzz/detectors.mjs'],
  ['fuzz:outputs', 'linear time of output handling', 'tsc -b libs/engine && node test/fuzz/outputs.mjs'],
  [
    'fuzz:markdown',
    'compares our Markdown with micromark',
    'tsc -b libs/engine && node test/fuzz/markdown.mjs',
  ],
  [
    'fuzz:renderers',
    'random texts in renderers of Markdown',
    'tsc -b libs/engine && node test/renderers/fuzz.mjs',
  ],
  [
    'eval',
    'measures detection, and writes the page about it',
    'tsc -b libs/engine >&2 && node test/eval/eval.mjs',
  ],
  [
    'eval:embedded',
    'measures detection in documents',
    'tsc -b libs/engine >&2 && node test/eval/embedded.mjs',
  ],
  [
    'eval:everyday',
    'harmless prompts and documents that must pass',
    'tsc -b libs/engine >&2 && node test/eval/everyday.mjs',
  ],
  ['train', 'trains the classifier', 'tsc -b libs/engine >&2 && node test/eval/classifier/train.mjs'],
  [
    'rules:prepare',
    'writes the prepared patterns of the built-in rules',
    'tsc -b libs/engine && node tools/prepare-rules.mjs',
  ],
  [
    'schemas:prepare',
    'writes the prepared check of JSON Schema, after an update of ajv',
    'node tools/prepare-schemas.mjs',
  ],
  [
    'breach:board',
    'plays the scenes of breach against other libraries',
    'tsc -b >&2 && node test/breach/board.mjs',
  ],
  ['bench', 'the stores, and writes the page about them', 'tsc -b >&2 && node test/bench/stores/run.mjs'],
  ['bench:engine', 'screening and output handling', 'tsc -b >&2 && node --expose-gc test/bench/engine.mjs'],
  ['bench:events', 'the event relay', 'tsc -b >&2 && node test/bench/events.mjs'],
  ['bench:panel', 'the panel with many rows', `${BUILD} && node test/bench/panel.mjs`],
  ['bench:scale', 'several instances on one database', 'tsc -b >&2 && node test/bench/scale/run.mjs'],
  ['bench:weight', 'what the package adds to a host', 'node test/bench/weight.mjs'],
  ['bench:endurance', 'steady traffic for an hour', `${BUILD} && node test/bench/endurance/run.mjs`],
  ['screenshots', 'takes the pictures of the panel', `${BUILD} && node docs/panel/take-screenshots.mjs`],
  [
    'moving-picture',
    'takes the moving picture of the README',
    `${BUILD} && node docs/panel/take-moving-picture.mjs`,
  ],
];

const [name, ...given] = process.argv.slice(2);
const [, , command] = SCRIPTS.find(([known]) => known === name) ?? [];
if (command === undefined) {
  if (name !== undefined) console.error(`There is no script ${name}. Choose one of these:\n`);
  for (const [known, description] of SCRIPTS) console.log(`${known.padEnd(17)}${description}`);
  process.exitCode = name === undefined ? 0 : 1;
} else {
  const PATH = [new URL('../node_modules/.bin', import.meta.url).pathname, process.env.PATH].join(delimiter);
  const { status } = spawnSync('sh', ['-c', `${command} "$@"`, name, ...given], {
    cwd: new URL('..', import.meta.url),
    env: { ...process.env, PATH },
    stdio: 'inherit',
  });
  process.exitCode = status ?? 1;
}
