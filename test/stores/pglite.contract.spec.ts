import { PGlite } from '@electric-sql/pglite';
import { afterAll, afterEach, beforeAll, beforeEach, describe, it } from '@jest/globals';
import type { StoreBackend } from '../../libs/contracts/src/stores.js';
import { describeStoreBackend } from '../../libs/stores/contract/src/index.js';
import { createPgliteDriver, typeormStores } from '../../libs/stores/typeorm/src/index.js';
import { EMPTY_TABLES } from './empty-tables.js';

// One database and two instances for all cases: what a case leaves is deleted before the next.
let pglite: PGlite;
let first: StoreBackend;
let second: StoreBackend;

beforeAll(async () => {
  pglite = await PGlite.create();
  first = typeormStores({ driver: createPgliteDriver(pglite), migrate: true });
  second = typeormStores({ driver: createPgliteDriver(pglite), migrate: true });
  await Promise.all([first.open(), second.open()]);
}, 60_000);

afterAll(async () => {
  await Promise.all([first.close(), second.close()]);
  await pglite.close();
});

describeStoreBackend(
  { describe, it, beforeEach, afterEach },
  {
    name: 'TypeORM on PGlite',
    async open() {
      await pglite.exec(EMPTY_TABLES);
      return first;
    },
    openSecond: async () => second,
    close: async () => undefined,
  },
);
