import { typeormStores } from '#stores/typeorm/index.js';
import { freshDatabase } from '../postgres/database.js';
import { describeBackend } from '../stores/backend.suite.js';
import { emptyTables } from '../stores/empty-tables.js';
import { pooled } from './pooled.js';

describeBackend({
  name: 'TypeORM on PostgreSQL behind PgBouncer in transaction mode',
  database: freshDatabase,
  instances({ url }) {
    const options = { url: pooled(url), pooler: 'transaction' } as const;
    return [typeormStores(options), typeormStores(options)];
  },
  empty: emptyTables,
});
