import { startMariadb } from './mariadb-server.mjs';

export default async function globalSetup() {
  globalThis.testServers = [];
  const mariadb = await startMariadb();
  globalThis.testServers.push(mariadb);
  process.env.TEST_MARIADB_URL = mariadb.url;
}
