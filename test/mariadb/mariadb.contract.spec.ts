import { typeormStores } from '../../libs/stores/typeorm/src/index.js';
import { describeBackend } from '../stores/backend.suite.js';
import { TABLES } from '../stores/empty-tables.js';
import { bareDatabase, onServer } from './database.js';

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

describeBackend({
  name: 'TypeORM on MariaDB',
  database: bareDatabase,
  instances: ({ url }) => [
    typeormStores({ url, migrate: true }),
    typeormStores({ url: url.replace(/^mariadb:/, 'mysql:'), migrate: true }),
  ],
  empty: ({ url }) => onServer((server) => server.query(EMPTY_TABLES), url),
});
