import { randomBytes } from 'node:crypto';
import { createConnection, type Connection } from 'mysql2/promise';
import { fromSetUp, type FreshDatabase } from '../servers/set-up.js';

export type { FreshDatabase };

/** An empty database of the caller's own, without our tables. */
export async function bareDatabase(): Promise<FreshDatabase> {
  const name = `guardrails_${randomBytes(6).toString('hex')}`;
  await onServer((server) => server.query(`create database ${name}`));
  const url = new URL(fromSetUp('TEST_MARIADB_URL'));
  url.pathname = `/${name}`;
  return {
    url: url.href,
    async drop() {
      await onServer((server) => server.query(`drop database ${name}`));
    },
  };
}

/** On a connection of its own. */
export async function onServer<Result>(
  work: (server: Connection) => Promise<Result>,
  url = fromSetUp('TEST_MARIADB_URL'),
): Promise<Result> {
  const server = await createConnection({
    uri: url.replace(/^mariadb:/, 'mysql:'),
    multipleStatements: true,
    timezone: 'Z',
  });
  try {
    return await work(server);
  } finally {
    await server.end();
  }
}
