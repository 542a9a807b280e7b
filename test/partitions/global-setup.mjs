import { randomBytes } from 'node:crypto';
import { startPostgres } from '../postgres/postgres-server.mjs';

/** As every system test has it; or the one at `TEST_PG_URL`. */
export default async function globalSetup() {
  globalThis.testServers = [];
  process.env.TEST_PG_RUN = `guardrails_${randomBytes(4).toString('hex')}`;
  if (process.env.TEST_PG_URL) return;
  const postgres = await startPostgres();
  globalThis.testServers.push(postgres);
  process.env.TEST_PG_URL = postgres.url;
}
