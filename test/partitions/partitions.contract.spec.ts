import { typeormStores } from '../../libs/stores/typeorm/src/index.js';
import { bareDatabase } from '../postgres/database.js';
import { describeBackend } from '../stores/backend.suite.js';
import { emptyTables } from '../stores/empty-tables.js';

describeBackend({
  name: 'TypeORM on PostgreSQL, in monthly partitions',
  database: bareDatabase,
  // Instances that start together make the same tables and the same months.
  instances({ url }) {
    const options = { url, partitions: 'monthly', migrate: true } as const;
    return [typeormStores(options), typeormStores(options)];
  },
  empty: emptyTables,
});
