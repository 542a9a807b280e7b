import { PGlite } from '@electric-sql/pglite';
import { afterAll, afterEach, beforeAll, beforeEach, describe, it } from '@jest/globals';
import type { StoreBackend } from '../../libs/contracts/src/stores.js';
import { describeStoreBackend } from '../../libs/stores/contract/src/index.js';
import { createPgliteDriver, typeormStores } from '../../libs/stores/typeorm/src/index.js';

// Opening one takes seconds: all cases share it, each under a table prefix of its own.
let pglite: PGlite;
let cases = 0;
const prefixes = new WeakMap<StoreBackend, string>();

async function opened(tablePrefix: string): Promise<StoreBackend> {
  const backend = typeormStores({ driver: createPgliteDriver(pglite), tablePrefix, migrate: true });
  prefixes.set(backend, tablePrefix);
  await backend.open();
  return backend;
}

beforeAll(async () => {
  pglite = await PGlite.create();
}, 60_000);

afterAll(() => pglite.close());

describeStoreBackend(
  { describe, it, beforeEach, afterEach },
  {
    name: 'TypeORM on PGlite',
    open: () => opened(`case_${++cases}_`),
    openSecond: (first) => opened(prefixes.get(first) ?? ''),
    close: (backend) => backend.close(),
  },
);
