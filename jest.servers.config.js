import { shared } from './jest.config.js';

/**
 * The store suite on PGlite and with servers of Debian, one project at a time: `npm run x -- test:pglite`,
 * `npm run x -- test:pgbouncer` and `npm run x -- test:replica`.
 */
export default {
  testTimeout: 30_000,
  maxWorkers: 2,
  workerGracefulExitTimeout: 30_000,
  projects: [
    { ...shared, displayName: 'pglite', roots: ['<rootDir>/test/pglite'] },
    ...['pgbouncer', 'replica'].map((name) => ({
      ...shared,
      displayName: name,
      roots: [`<rootDir>/test/${name}`],
      globalSetup: `<rootDir>/test/${name}/global-setup.mjs`,
      globalTeardown: '<rootDir>/test/servers/global-teardown.mjs',
    })),
  ],
};
