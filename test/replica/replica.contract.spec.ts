import { typeormStores } from '#stores/typeorm/index.js';
import { freshDatabase, onServer, type FreshDatabase } from '../postgres/database.js';
import { describeBackend } from '../stores/backend.suite.js';
import { emptyTables } from '../stores/empty-tables.js';
import { caughtUp, replicated } from './replica.js';

/** Every commit waits for the replica, so each test reads its own writes from there. */
async function databaseInStep(): Promise<FreshDatabase> {
  const database = await freshDatabase();
  const name = new URL(database.url).pathname.slice(1);
  await onServer((server) => server.query(`alter database ${name} set synchronous_commit = remote_apply`));
  await caughtUp(database.url);
  return database;
}

describeBackend({
  name: 'TypeORM on PostgreSQL, read from a replica',
  database: databaseInStep,
  instances({ url }) {
    const options = { url, replicas: [replicated(url)] };
    return [typeormStores(options), typeormStores(options)];
  },
  empty: emptyTables,
});
