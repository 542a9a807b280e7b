import { randomBytes } from 'node:crypto';
import { startPostgres } from '../postgres/postgres-server.mjs';
import { startPgbouncer } from './pgbouncer-server.mjs';

/** The PostgreSQL that every system test has, and a pooler before it. */
export default async function globalSetup() {
  globalThis.testServers = [];
  const postgres = await startPostgres();
  globalThis.testServers.push(postgres);
  const pgbouncer = await startPgbouncer(postgres.url);
  globalThis.testServers.push(pgbouncer);
  process.env.TEST_PG_RUN = `guardrails_${randomBytes(4).toString('hex')}`;
  process.env.TEST_PG_URL = postgres.url;
  process.env.TEST_PGBOUNCER_URL = pgbouncer.url;
}
