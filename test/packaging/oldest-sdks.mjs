import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { run } from './run.mjs';

/** The SDKs of the adapters, among the peers. */
const SDKS = [
  '@langchain/core',
  '@langchain/langgraph',
  '@modelcontextprotocol/sdk',
  '@openai/agents-core',
  'ai',
  'langchain',
];
/** Peers of the SDKs that npm would install in a version for a newer SDK. */
const THEIR_PEERS = ['@langchain/langgraph-checkpoint@1.0.0'];
const QUIET = ['--no-audit', '--no-fund', '--ignore-scripts', '--prefer-offline'];

/** Runs the specs of the adapters with the oldest version of each SDK that package.json allows. */
export async function adaptersWork(folder) {
  const { peerDependencies } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
  const oldest = SDKS.flatMap((name) =>
    peerDependencies[name]
      .split('||')
      .map((range) => /\d+\.\d+\.\d+/.exec(range)[0])
      .map((version, index) => (index === 0 ? `${name}@${version}` : `${name}-7@npm:${name}@${version}`)),
  );
  // The link to the packages of the repository.
  await rm(join(folder, 'node_modules'));
  await run('npm', ['ci', ...QUIET], folder);
  await run(
    'npm',
    ['install', '--no-save', '--legacy-peer-deps', ...QUIET, ...oldest, ...THEIR_PEERS],
    folder,
  );
  const specs = ['--selectProjects', 'system', '--', 'test/adapters'];
  await run(process.execPath, ['node_modules/jest/bin/jest.js', ...specs], folder);
}
