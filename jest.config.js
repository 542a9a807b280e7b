export const shared = {
  testEnvironment: 'node',
  setupFiles: ['<rootDir>/test/support/one-seed.mjs'],
  extensionsToTreatAsEsm: ['.ts'],
  moduleNameMapper: {
    '^(\\.{1,2}/.*)\\.js$': '$1',
    // The package subpaths of "imports" in package.json, mapped to the sources.
    '^#(contracts|client|engine|sinks|slack)/(.*)\\.js$': '<rootDir>/libs/$1/src/$2',
    '^#adapters/(ai-sdk)/(.*)\\.js$': '<rootDir>/libs/adapters/$1/src/$2',
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
 * `unit` specs need no server. `system` specs get a real PostgreSQL from the global setup. `recipes` (code of the
 * documentation), `cli` (the built command line) and `prove` (known failures of approvals) take longer, so `npm test`
 * leaves them to .ci/run.
 */
export default {
  testTimeout: 20_000,
  // Node never frees the modules of a vm context, so workers that have grown are replaced.
  maxWorkers: '100%',
  testSequencer: '<rootDir>/test/support/servers-first.mjs',
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
      testMatch: ['<rootDir>/test/!(recipes|cli|prove|pglite|pgbouncer|replica|renderers)/**/*{.,-}spec.ts'],
      globalSetup: '<rootDir>/test/postgres/global-setup.mjs',
      globalTeardown: '<rootDir>/test/postgres/global-teardown.mjs',
    },
    ...['recipes', 'cli', 'prove'].map((name) => ({
      ...shared,
      displayName: name,
      roots: [`<rootDir>/test/${name}`],
      testMatch: ['**/*.spec.ts'],
      globalSetup: '<rootDir>/test/postgres/global-setup.mjs',
      globalTeardown: '<rootDir>/test/postgres/global-teardown.mjs',
    })),
  ],
};
