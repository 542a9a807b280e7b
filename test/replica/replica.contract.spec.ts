import { afterAll, afterEach, beforeAll, beforeEach, describe, it } from '@jest/globals';
import type { StoreBackend } from '../../libs/contracts/src/stores.js';
import { describeStoreBackend } from '../../libs/stores/contract/src/index.js';
import { typeormStores } from '../../libs/stores/typeorm/src/index.js';
import { freshDatabase, onServer, type FreshDatabase } from '../postgres/database.js';
import { EMPTY_TABLES } from '../stores/empty-tables.js';
import { caughtUp, replicated } from './replica.js';

// Every commit waits until the replica shows it: what a case wrote it then reads from there.
let database: FreshDatabase;
let first: StoreBackend;
let second: StoreBackend;

beforeAll(async () => {
  database = await freshDatabase();
  const { pathname } = new URL(database.url);
  await onServer(
    (server) => server.query(`alter database ${pathname.slice(1)} set synchronous_commit = remote_apply`),
    database.url,
  );
  await caughtUp(database.url);
  const options = { url: database.url, replicas: [replicated(database.url)] };
  first = typeormStores(options);
  second = typeormStores(options);
  await Promise.all([first.open(), second.open()]);
});

afterAll(async () => {
  await Promise.all([first.close(), second.close()]);
  await database.drop();
});

describeStoreBackend(
  { describe, it, beforeEach, afterEach },
  {
    name: 'TypeORM on PostgreSQL, read from a replica',
    async open() {
      await onServer((server) => server.query(EMPTY_TABLES), database.url);
      return first;
    },
    openSecond: async () => second,
    close: async () => undefined,
  },
);
