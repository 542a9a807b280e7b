export const shared = {
  testEnvironment: 'node',
  setupFiles: ['<rootDir>/test/support/one-seed.mjs'],
  extensionsToTreatAsEsm: ['.ts'],
  moduleNameMapper: {
    '^(\\.{1,2}/.*)\\.js$': '$1',
    // The package subpaths of "imports" in package.json, mapped to the sources.
    '^#(contracts|engine|sinks)/(.*)\\.js$': '<rootDir>/libs/$1/src/$2',
    '^#stores/(memory|typeorm|contract)/(.*)\\.js$': '<rootDir>/libs/stores/$1/src/$2',
    '^#src/(.*)\\.js$': '<rootDir>/src/$1',
  },
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      {
        jsc: {
          parser: { syntax: 'typescript', decorators: true },
          transform: { legacyDecorator: true, decoratorMetadata: true, verbatimModuleSyntax: true },
          target: 'es2022',
          keepClassNames: true,
        },
        module: { type: 'es6' },
      },
    ],
  },
};

/**
 * `unit` sits beside the code and needs nothing; `system` gets a real PostgreSQL from its set-up. `recipes` performs
 * CONTRIBUTING and `cli` starts the built command line: both take their time, and run in the wider checks.
 */
export default {
  testTimeout: 20_000,
  // A worker for each core; modules of the vm are never given back, so a worker that has grown is replaced.
  maxWorkers: '100%',
  workerIdleMemoryLimit: '1500MB',
  projects: [
    {
      ...shared,
      displayName: 'unit',
      roots: ['<rootDir>/libs', '<rootDir>/src', '<rootDir>/apps', '<rootDir>/test'],
      testMatch: ['<rootDir>/{libs,src,apps}/**/*.spec.ts', '<rootDir>/test/*.spec.ts'],
    },
    {
      ...shared,
      displayName: 'system',
      roots: ['<rootDir>/test'],
      testMatch: ['<rootDir>/test/!(recipes|cli|pgbouncer|replica)/**/*{.,-}spec.ts'],
      globalSetup: '<rootDir>/test/postgres/global-setup.mjs',
      globalTeardown: '<rootDir>/test/postgres/global-teardown.mjs',
    },
    ...['recipes', 'cli'].map((name) => ({
      ...shared,
      displayName: name,
      roots: [`<rootDir>/test/${name}`],
      testMatch: ['**/*.spec.ts'],
      globalSetup: '<rootDir>/test/postgres/global-setup.mjs',
      globalTeardown: '<rootDir>/test/postgres/global-teardown.mjs',
    })),
  ],
};
