// Packs the package as it would be published, and uses it as strangers do: checked by two linters, alone without
// any peer, and installed in three hosts of their own. Needs npm and its registry; everything happens in a temp folder.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { engineAlone } from './engine-alone.mjs';
import { hostAnswers } from './host-answers.mjs';
import { packed } from './packed.mjs';
import { run } from './run.mjs';

/** Exact, like every other tool; brought by npx, because nothing else here needs them. */
const PUBLINT = 'publint@0.3.25';
const TYPES_CHECK = '@arethetypeswrong/cli@0.18.5';

const workshop = await mkdtemp(join(tmpdir(), 'guardrails-packaging-'));
const failures = [];
let passed = 0;

async function prove(claim, proof) {
  const started = Date.now();
  try {
    await proof();
    passed += 1;
    console.log(`ok      ${claim} (${Date.now() - started} ms)`);
  } catch (error) {
    failures.push(claim);
    console.error(`FAILED  ${claim}\n${error.stack ?? error}`);
  }
}

try {
  const tarball = await packed(workshop);
  await prove('the tarball contains the files of the exports, and no tests', () => tarball.assertComplete());
  await prove('publint finds nothing', () =>
    run('npx', ['--yes', PUBLINT, '--strict', tarball.path], workshop),
  );
  // Hosts in CommonJS load us by `require(esm)`, which every Node that we support has: that we are ESM there is no fault.
  await prove('the types are found by every resolution of Node', () =>
    run(
      'npx',
      ['--yes', TYPES_CHECK, tarball.path, '--profile', 'node16', '--ignore-rules', 'cjs-resolves-to-esm'],
      workshop,
    ),
  );
  await prove('the engine loads without Nest, TypeORM or any other peer', () =>
    engineAlone(tarball.path, workshop),
  );
  await prove('a Nest 12 host in ESM, with TypeORM 1, boots and answers', () =>
    hostAnswers('esm', tarball.path, workshop),
  );
  await prove('a Nest 11 host in CommonJS, with TypeORM 0.3, boots and answers', () =>
    hostAnswers('cjs', tarball.path, workshop),
  );
  await prove(
    'a Nest 11.0.0 host in CommonJS, with the oldest allowed version of every peer, boots and answers',
    () => hostAnswers('oldest', tarball.path, workshop, 'cjs'),
  );
} finally {
  await rm(workshop, { recursive: true, force: true });
}

const summary = failures.length > 0 ? `${failures.length} failed, ` : '';
console.log(`Tests: ${summary}${passed} passed, ${passed + failures.length} total`);
process.exitCode = failures.length > 0 ? 1 : 0;
