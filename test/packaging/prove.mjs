import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { worksWithoutOptionalParts } from './deleted-parts.mjs';
import { engineAlone } from './engine-alone.mjs';
import { hostAnswers } from './host-answers.mjs';
import { adaptersWork } from './oldest-sdks.mjs';
import { assertPublishable, packed } from './packed.mjs';
import { partsWork } from './parts.mjs';
import { quickStart } from './quick-start.mjs';
import { run } from './run.mjs';
import { loadsOnlyWhatIsUsed } from './unused-parts.mjs';

// Packs the package as for a release and tests the tarball: two linters, an installation without peers, the modules that
// a host loads, and two host applications; with --oldest, also a host with the oldest peers, and the adapters with the
// oldest SDKs. Needs npm and its registry, and works in a temporary folder.

/** Pinned, and run by npx because nothing else uses them. */
const PUBLINT = 'publint@0.3.25';
const TYPES_CHECK = '@arethetypeswrong/cli@0.18.5';

/** The range in `engines` has no upper end. */
const { engines, peerDependencies } = JSON.parse(
  await readFile(new URL('../../package.json', import.meta.url), 'utf8'),
);
const [OLDEST_NODE] = /\d+\.\d+\.\d+/.exec(engines.node);
const NEWEST_NODE = 'latest';
/** Of the packages that a host loads; those of the adapters have a proof of their own. */
const OLDEST_PEERS = Object.entries({ ...peerDependencies, '@nestjs/testing': '^11.0.0' })
  .filter(([name]) =>
    /^@nestjs\/(?!microservices|websockets)|^class-|^pg$|pglite|reflect|rxjs|typeorm/.test(name),
  )
  .map(([name, range]) => `${name}@${/\d+\.\d+\.\d+/.exec(range)[0]}`);

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
  const { repository, local, tarball } = await packed(workshop);
  await prove('the tarball contains every exported file, and no tests and sources', () =>
    tarball.assertComplete(),
  );
  await prove('every link of the packed pages leads somewhere', () => tarball.assertLinks());
  await prove('so does every link of a tarball without a repository', () => local.assertLinks());
  await prove('no packed file names a path that is not packed', () => local.assertPaths());
  await prove('the release workflow can publish it', () => assertPublishable(repository));
  await prove('it lists the packages that it brings, and their licences', () => tarball.assertThirdParties());
  await prove('the tarball imports by relative paths only', () => tarball.assertRelativeImports());
  await prove('its bundles are ASCII', () => tarball.assertAscii());
  await prove('the tarball has at most 440 files', () => tarball.assertSmall());
  await prove('publint reports no problem', () =>
    run('npx', ['--yes', PUBLINT, '--strict', tarball.path], workshop),
  );
  await prove('the types resolve in every module resolution: node10, node16 and bundler', () =>
    run('npx', ['--yes', TYPES_CHECK, tarball.path], workshop),
  );
  await prove('the engine loads without Nest, TypeORM or any other peer', () =>
    engineAlone(tarball.path, workshop),
  );
  await prove('a host that uses no optional part loads none', () => loadsOnlyWhatIsUsed(tarball.folder));
  await prove('the rest builds and works after the folders of all optional parts are deleted', () =>
    worksWithoutOptionalParts(workshop),
  );
  for (const cli of ['12.0.8', '11.0.16'])
    await prove(`the quick start, in an empty folder, and the tests of its application (${cli})`, () =>
      quickStart(cli, tarball.path, workshop),
    );
  await prove('every adapter guards a call with its SDK, by import and by require', () =>
    partsWork(tarball.folder),
  );
  await prove(
    'an application of nest new 12 (ES modules, Vitest, TypeORM 1) passes its tests, builds, and answers on the newest and the oldest Node',
    () => hostAnswers('nest-12', tarball.path, workshop, [NEWEST_NODE, OLDEST_NODE]),
  );
  await prove('so does one of nest new 11 (CommonJS, Jest, TypeORM 0.3)', () =>
    hostAnswers('nest-11', tarball.path, workshop, [OLDEST_NODE, NEWEST_NODE]),
  );
  if (process.argv.includes('--oldest'))
    await prove('so does one with the oldest allowed version of every peer', () =>
      hostAnswers('nest-11', tarball.path, workshop, [OLDEST_NODE], OLDEST_PEERS),
    );
  if (process.argv.includes('--oldest'))
    await prove('the adapters pass their specs with the oldest allowed version of every SDK', () =>
      adaptersWork(repository),
    );
} finally {
  await rm(workshop, { recursive: true, force: true });
}

const summary = failures.length > 0 ? `${failures.length} failed, ` : '';
console.log(`Tests: ${summary}${passed} passed, ${passed + failures.length} total`);
process.exitCode = failures.length > 0 ? 1 : 0;
