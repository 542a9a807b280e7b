import { afterEach, beforeEach } from '@jest/globals';
import type { StoreBackend } from '#contracts/stores/store-backend.js';
import { typeormStores } from '#stores/typeorm/index.js';
import { freshDatabase, type FreshDatabase } from '../postgres/database.js';
import { describeQuorum } from './quorum.suite.js';

let database: FreshDatabase;
let stores: StoreBackend;

beforeEach(async () => {
  database = await freshDatabase();
});

afterEach(async () => {
  await stores.close();
  await database.drop();
});

describeQuorum('PostgreSQL', async () => {
  stores = typeormStores({ url: database.url });
  return stores;
});
