import { typeormStores } from '#stores/typeorm/index.js';
import { freshDatabase } from '../postgres/database.js';
import { describeBackend } from './backend.suite.js';
import { emptyTables } from './empty-tables.js';

// Two hundred calls that wait for each other take longer than the default on a busy machine.
const statementTimeoutMs = 30_000;

describeBackend({
  name: 'TypeORM on PostgreSQL',
  database: freshDatabase,
  instances: ({ url }) => [
    typeormStores({ url, statementTimeoutMs }),
    typeormStores({ url, statementTimeoutMs }),
  ],
  empty: emptyTables,
});
