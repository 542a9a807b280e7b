import { shared } from './jest.config.js';

/** The stores before servers that Debian brings, one project at a time: `npm run test:mariadb`, `test:pgbouncer`, `test:replica`. */
export default {
  testTimeout: 30_000,
  maxWorkers: 2,
  projects: ['mariadb', 'pgbouncer', 'replica'].map((name) => ({
    ...shared,
    displayName: name,
    roots: [`<rootDir>/test/${name}`],
    globalSetup: `<rootDir>/test/${name}/global-setup.mjs`,
    globalTeardown: '<rootDir>/test/servers/global-teardown.mjs',
  })),
};
