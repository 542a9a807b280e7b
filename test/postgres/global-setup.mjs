import { randomBytes } from 'node:crypto';
import { startPostgres } from './postgres-server.mjs';

/** Names every database of this run, so that two runs may share one server. */
const RUN_NAME = `guardrails_${randomBytes(4).toString('hex')}`;

/** Starts a PostgreSQL server, unless `TEST_PG_URL` names a server on which databases may be created and dropped. */
export default async function globalSetup() {
  process.env.TEST_PG_RUN = RUN_NAME;
  if (process.env.TEST_PG_URL) return;
  const server = await startPostgres();
  process.env.TEST_PG_URL = server.url;
  globalThis.testPostgres = server;
}
