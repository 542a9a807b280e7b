import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { accountOf, giveTo } from '../servers/account.mjs';
import { reapedFolder } from '../servers/reaped-folder.mjs';
import { perform, serve, tryToServe } from '../servers/serve.mjs';
import { postgresBinaries } from './postgres-binaries.mjs';

/** Settings for temporary data: no write is flushed to disk. */
const THROW_AWAY = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off', 'max_wal_size=4GB'];

/**
 * Starts PostgreSQL on a free port of 127.0.0.1, in a temporary folder that is deleted with it.
 *
 * @param {{ settings?: readonly string[], parent?: string, packages?: string }} options `settings` for `-c`, the
 *   `parent` of its folder, and the `packages` file that locates its binaries
 */
export async function startPostgres({ settings = THROW_AWAY, parent = tmpdir(), packages } = {}) {
  const user = accountOf(['postgres', 'nobody']);
  const folder = reapedFolder('postgres', ['data/postmaster.pid=SIGINT'], parent);
  try {
    const binaries = postgresBinaries(user, folder.path, packages);
    const password = randomBytes(16).toString('hex');
    const data = await makeCluster(binaries, user, folder.path, password);
    const command = join(binaries, 'postgres');
    const how = { user, ready: 'ready to accept connections' };
    const { port, server } = await serve(command, wordsFor(data, settings), how);
    return new PostgresServer(
      `postgres://postgres:${password}@127.0.0.1:${port}/postgres`,
      server,
      () => tryToServe(command, wordsFor(data, settings)(port), how),
      folder,
    );
  } catch (error) {
    await folder.reap();
    throw error;
  }
}

class PostgresServer {
  #server;
  #serveAgain;
  #folder;

  constructor(url, server, serveAgain, folder) {
    this.url = url;
    this.#server = server;
    this.#serveAgain = serveAgain;
    this.#folder = folder;
  }

  /** Stops the server like a power failure. */
  async kill() {
    const gone = once(this.#server, 'exit');
    this.#server.ref();
    this.#server.kill('SIGKILL');
    await gone;
  }

  /** Starts the killed server again on the same port. Its remaining processes can hold its shared memory for a moment. */
  async comeBack() {
    for (let attempt = 1; ; attempt++) {
      const { server, log, ready } = await this.#serveAgain();
      this.#server = server;
      if (ready) return;
      if (attempt === 100) throw new Error(`PostgreSQL did not come back:\n${log.text}`);
      await wait(100);
    }
  }

  stop() {
    return this.#folder.reap();
  }
}

async function makeCluster(binaries, user, folder, password) {
  const data = join(folder, 'data');
  const passwordFile = join(folder, 'password');
  mkdirSync(data, { mode: 0o700 });
  writeFileSync(passwordFile, password, { mode: 0o600 });
  for (const path of [data, passwordFile]) giveTo(user, path);
  const words = ['-D', data, '-U', 'postgres', '-A', 'md5', '--pwfile', passwordFile];
  const looks = ['--encoding=UTF8', '--locale=C', '--no-sync', '--no-instructions'];
  await perform(join(binaries, 'initdb'), [...words, ...looks], user);
  rmSync(passwordFile);
  return data;
}

const wordsFor = (data, settings) => (port) =>
  ['-D', data, '-h', '127.0.0.1', '-p', String(port), '-k', ''].concat(
    ['max_connections=200', ...settings].flatMap((setting) => ['-c', setting]),
  );
