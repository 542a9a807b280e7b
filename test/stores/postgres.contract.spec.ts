import { typeormStores } from '#stores/typeorm/index.js';
import { freshDatabase } from '../postgres/database.js';
import { describeBackend } from './backend.suite.js';
import { emptyTables } from './empty-tables.js';

describeBackend({
  name: 'TypeORM on PostgreSQL',
  database: freshDatabase,
  instances: ({ url }) => [typeormStores({ url }), typeormStores({ url })],
  empty: emptyTables,
});
