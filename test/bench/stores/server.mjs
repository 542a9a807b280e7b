import { Client } from 'pg';
import { startPostgres } from '../../postgres/postgres-server.mjs';
import { interleaved } from '../measure.mjs';

/** Production settings: fsync, synchronous_commit and full_page_writes are on. The other settings are for ten million rows. */
export const SETTINGS = ['shared_buffers=1GB', 'max_wal_size=8GB', 'checkpoint_timeout=30min'].concat([
  'random_page_cost=1.1',
  'effective_cache_size=8GB',
]);

export async function benchServer() {
  const server = await startPostgres({ settings: SETTINGS });
  return Object.assign(server, {
    async database(name) {
      await query(server.url, `create database ${name}`);
      const url = new URL(server.url);
      url.pathname = `/${name}`;
      return url.href;
    },
    /** Commits do not wait for the disk, as with a disk whose cache survives a power failure. */
    async setQuickCommits() {
      await query(server.url, 'alter system set fsync = off');
      await query(server.url, 'select pg_reload_conf()');
      while ((await query(server.url, 'show fsync'))[0].fsync !== 'off');
    },
  });
}

/** Milliseconds of the smallest possible commit. */
export async function commitTime(url) {
  const client = new Client(url);
  await client.connect();
  await client.query('create table if not exists commits (n int)');
  const [time] = await interleaved(100, [() => client.query('insert into commits values (1)')]);
  await client.end();
  return time;
}

export async function query(url, statement, values = []) {
  const client = new Client(url);
  await client.connect();
  try {
    return (await client.query(statement, values)).rows;
  } finally {
    await client.end();
  }
}
