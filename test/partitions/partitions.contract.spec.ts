import { afterAll, afterEach, beforeAll, beforeEach, describe, it } from '@jest/globals';
import type { StoreBackend } from '../../libs/contracts/src/stores.js';
import { describeStoreBackend } from '../../libs/stores/contract/src/index.js';
import { typeormStores } from '../../libs/stores/typeorm/src/index.js';
import { bareDatabase, onServer, type FreshDatabase } from '../postgres/database.js';
import { EMPTY_TABLES } from '../stores/empty-tables.js';

let database: FreshDatabase;
let first: StoreBackend;
let second: StoreBackend;

beforeAll(async () => {
  database = await bareDatabase();
  const options = { url: database.url, partitions: 'monthly', migrate: true } as const;
  first = typeormStores(options);
  second = typeormStores(options);
  // Instances that start together make the same months.
  await Promise.all([first.open(), second.open()]);
});

afterAll(async () => {
  await Promise.all([first.close(), second.close()]);
  await database.drop();
});

describeStoreBackend(
  { describe, it, beforeEach, afterEach },
  {
    name: 'TypeORM on PostgreSQL, in monthly partitions',
    async open() {
      await onServer((server) => server.query(EMPTY_TABLES), database.url);
      return first;
    },
    openSecond: async () => second,
    close: async () => undefined,
  },
);
