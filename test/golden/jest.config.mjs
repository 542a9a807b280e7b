import { shared } from '../../jest.config.js';

/** Golden answers: see README.md. Every suite gets a PostgreSQL server, as `system` specs do. */
export default {
  ...shared,
  rootDir: '../..',
  roots: ['<rootDir>/test/golden'],
  testMatch: ['**/*.golden.ts'],
  testTimeout: 120_000,
  maxWorkers: 2,
  workerGracefulExitTimeout: 30_000,
  globalSetup: '<rootDir>/test/postgres/global-setup.mjs',
  globalTeardown: '<rootDir>/test/postgres/global-teardown.mjs',
};
