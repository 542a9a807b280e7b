import { afterEach, beforeEach, describe, it } from '@jest/globals';
import type { StoreBackend } from '../../libs/contracts/src/stores.js';
import { describeStoreBackend } from '../../libs/stores/contract/src/index.js';
import { typeormStores } from '../../libs/stores/typeorm/src/index.js';
import { freshDatabase, type FreshDatabase } from '../postgres/database.js';

const databases = new WeakMap<StoreBackend, FreshDatabase>();

describeStoreBackend(
  { describe, it, beforeEach, afterEach },
  {
    name: 'TypeORM on PostgreSQL',
    async open() {
      const database = await freshDatabase();
      const backend = typeormStores({ url: database.url });
      databases.set(backend, database);
      await backend.open();
      return backend;
    },
    async openSecond(first) {
      const second = typeormStores({ url: databases.get(first)?.url ?? '' });
      await second.open();
      return second;
    },
    async close(backend) {
      await backend.close();
      await databases.get(backend)?.drop();
    },
  },
);
