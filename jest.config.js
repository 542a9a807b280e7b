import { availableParallelism } from 'node:os';

export const shared = {
  // Specs run on Node's own modules: docs/decisions/jest-on-nodes-modules.md says why.
  testEnvironment: '<rootDir>/test/support/jest/environment.mjs',
  runtime: '<rootDir>/test/support/jest/runtime.cjs',
  setupFilesAfterEnv: ['<rootDir>/test/support/one-seed.mjs'],
  extensionsToTreatAsEsm: ['.ts'],
  transform: {},
};

/** Folders below test/ with a project of their own, besides those of jest.servers.config.js. */
const LATER = ['recipes', 'cli', 'prove'];
const SYSTEM = 'adapters|http|stores';

/**
 * `unit` specs need no server. `system` specs get a real PostgreSQL from the global setup. `recipes` (code of the
 * documentation), `cli` (the built command line) and `prove` (known failures of approvals) take longer, so `npm test`
 * leaves them to .ci/run.
 */
export default {
  // Only ends tests that hang: commands run beside other suites on two cores.
  testTimeout: 60_000,
  // One worker more than processors, as some specs wait for servers and time limits.
  maxWorkers: availableParallelism() + 1,
  // A worker ends without open handles, but its memory is only freed after more than Jest's 500 ms on a busy machine.
  workerGracefulExitTimeout: 30_000,
  testSequencer: '<rootDir>/test/support/long-first.mjs',
  projects: [
    {
      ...shared,
      displayName: 'unit',
      roots: ['<rootDir>/libs', '<rootDir>/src', '<rootDir>/apps', '<rootDir>/test'],
      testMatch: [
        '<rootDir>/{libs,src,apps}/**/*.spec.ts',
        `<rootDir>/test/!(${[SYSTEM, ...LATER].join('|')}|pglite|pgbouncer|replica|renderers)/**/*.spec.ts`,
      ],
    },
    {
      ...shared,
      displayName: 'system',
      roots: ['<rootDir>/test'],
      testMatch: [`<rootDir>/test/@(${SYSTEM})/**/*{.,-}spec.ts`],
      globalSetup: '<rootDir>/test/postgres/global-setup.mjs',
      globalTeardown: '<rootDir>/test/postgres/global-teardown.mjs',
    },
    ...LATER.map((name) => ({
      ...shared,
      displayName: name,
      roots: [`<rootDir>/test/${name}`],
      testMatch: ['**/*.spec.ts'],
      globalSetup: `<rootDir>/test/${name === 'cli' ? 'cli' : 'postgres'}/global-setup.mjs`,
      globalTeardown: '<rootDir>/test/postgres/global-teardown.mjs',
    })),
  ],
};
