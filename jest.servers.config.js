import { shared } from './jest.config.js';

/**
 * The stores before servers that Debian brings, and in partitions before our own, one project at a time:
 * `npm run test:mariadb`, `test:pgbouncer`, `test:replica`, `test:partitions`.
 */
export default {
  testTimeout: 30_000,
  maxWorkers: 2,
  projects: ['mariadb', 'pgbouncer', 'replica', 'partitions'].map((name) => ({
    ...shared,
    displayName: name,
    roots: [`<rootDir>/test/${name}`],
    globalSetup: `<rootDir>/test/${name}/global-setup.mjs`,
    globalTeardown: '<rootDir>/test/servers/global-teardown.mjs',
  })),
};
