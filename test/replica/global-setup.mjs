import { randomBytes } from 'node:crypto';
import { startReplicatedPostgres } from './replicated-postgres.mjs';

export default async function globalSetup() {
  globalThis.testServers = [];
  const servers = await startReplicatedPostgres();
  globalThis.testServers.push(servers);
  process.env.TEST_PG_RUN = `guardrails_${randomBytes(4).toString('hex')}`;
  process.env.TEST_PG_URL = servers.url;
  process.env.TEST_REPLICA_URL = servers.replicaUrl;
}
