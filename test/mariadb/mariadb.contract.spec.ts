import { afterAll, afterEach, beforeAll, beforeEach, describe, it } from '@jest/globals';
import type { StoreBackend } from '../../libs/contracts/src/stores.js';
import { describeStoreBackend } from '../../libs/stores/contract/src/index.js';
import { typeormStores } from '../../libs/stores/typeorm/src/index.js';
import { TABLES } from '../stores/empty-tables.js';
import { bareDatabase, onServer, type FreshDatabase } from './database.js';

// One database and two instances for all cases: what a case leaves is deleted before the next.
let database: FreshDatabase;
let first: StoreBackend;
let second: StoreBackend;

/** Only for a run of retention that is under way is anything deleted that is guarded; the runs go past the triggers. */
const EMPTY_TABLES = [
  `insert into guardrails_retention_runs (actor_id, strategy, scope, counts, started_at, lease)
   values ('test', 'purge', '{}', '{}', now(), 'test')`,
  "set @guardrails_retention = 'test'",
  ...TABLES.filter((table) => table !== 'retention_runs').map((table) => `delete from guardrails_${table}`),
  'truncate table guardrails_retention_runs',
  'update guardrails_settings_state set revision = 0',
  'update guardrails_outbox_state set last_sequence = 0',
].join(';\n');

beforeAll(async () => {
  database = await bareDatabase();
  first = typeormStores({ url: database.url, migrate: true });
  second = typeormStores({ url: database.url.replace(/^mariadb:/, 'mysql:'), migrate: true });
  await Promise.all([first.open(), second.open()]);
});

afterAll(async () => {
  await Promise.all([first.close(), second.close()]);
  await database.drop();
});

describeStoreBackend(
  { describe, it, beforeEach, afterEach },
  {
    name: 'TypeORM on MariaDB',
    async open() {
      await onServer((server) => server.query(EMPTY_TABLES), database.url);
      return first;
    },
    openSecond: async () => second,
    close: async () => undefined,
  },
);
