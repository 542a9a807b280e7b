import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { postgresBinaries } from './postgres-binaries.mjs';
import { postgresUser } from './postgres-user.mjs';

const READY = 'ready to accept connections';

/** For what nobody needs after the run: nothing has to reach the disk. */
const THROW_AWAY = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off', 'max_wal_size=4GB'];

/**
 * Starts PostgreSQL on a free port of 127.0.0.1, in a folder of its own that goes with it.
 *
 * @param {{ settings?: readonly string[], parent?: string, packages?: string }} options `settings` as `-c` takes
 *   them, the `parent` of its folder, and whose `packages` its binaries are
 */
export async function startPostgres({ settings = THROW_AWAY, parent = tmpdir(), packages } = {}) {
  const user = postgresUser();
  const folder = mkdtempSync(join(parent, 'guardrails-postgres-'));
  chmodSync(folder, 0o755);
  const reaper = startReaper(folder);
  try {
    const binaries = postgresBinaries(user, folder, packages);
    const password = randomBytes(16).toString('hex');
    const data = await makeCluster(binaries, user, folder, password);
    const { port, postgres } = await serveSomewhere(binaries, user, data, settings);
    return new PostgresServer(
      `postgres://postgres:${password}@127.0.0.1:${port}/postgres`,
      postgres,
      () => serve(binaries, user, data, settings, port),
      reaper,
    );
  } catch (error) {
    await reaper.reap();
    throw error;
  }
}

class PostgresServer {
  #postgres;
  #serveAgain;
  #reaper;

  constructor(url, postgres, serveAgain, reaper) {
    this.url = url;
    this.#postgres = postgres;
    this.#serveAgain = serveAgain;
    this.#reaper = reaper;
  }

  /** As a machine that loses its power, but for what the disk holds back. */
  async kill() {
    const gone = once(this.#postgres, 'exit');
    this.#postgres.ref();
    this.#postgres.kill('SIGKILL');
    await gone;
  }

  /** After `kill`, on the same port. The orphans of the killed server give its memory back only once they notice. */
  async comeBack() {
    for (let attempt = 1; ; attempt++) {
      const { postgres, log, ready } = await this.#serveAgain();
      this.#postgres = postgres;
      if (ready) return;
      if (attempt === 100) throw new Error(`PostgreSQL did not come back:\n${log.text}`);
      await wait(100);
    }
  }

  stop() {
    return this.#reaper.reap();
  }
}

/** Before anything that it would have to clear away. */
function startReaper(folder) {
  const child = spawn(process.execPath, [fileURLToPath(new URL('./reaper.mjs', import.meta.url)), folder], {
    detached: true,
    cwd: '/',
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  child.unref();
  child.stdin.unref?.();
  return {
    async reap() {
      child.ref();
      const gone = once(child, 'exit');
      child.stdin.end();
      await gone;
    },
  };
}

async function makeCluster(binaries, user, folder, password) {
  const data = join(folder, 'data');
  const passwordFile = join(folder, 'password');
  mkdirSync(data, { mode: 0o700 });
  writeFileSync(passwordFile, password, { mode: 0o600 });
  if (user.uid !== undefined) for (const path of [data, passwordFile]) chownSync(path, user.uid, user.gid);
  const initdb = spawn(
    join(binaries, 'initdb'),
    ['-D', data, '-U', 'postgres', '-A', 'password', '--pwfile', passwordFile].concat([
      '--encoding=UTF8',
      '--locale=C',
      '--no-sync',
      '--no-instructions',
    ]),
    { ...user, cwd: '/', stdio: ['ignore', 'ignore', 'pipe'] },
  );
  const complaint = listenTo(initdb.stderr);
  const [code] = await once(initdb, 'close');
  rmSync(passwordFile);
  if (code !== 0) throw new Error(`initdb failed:\n${complaint.text}`);
  return data;
}

/** Between our looking for a free port and PostgreSQL's taking it another process may be faster: then once more. */
async function serveSomewhere(binaries, user, data, settings) {
  for (let attempt = 1; ; attempt++) {
    const port = await freePort();
    const { postgres, log, ready } = await serve(binaries, user, data, settings, port);
    if (ready) return { port, postgres };
    if (attempt === 3) throw new Error(`PostgreSQL did not start:\n${log.text}`);
  }
}

async function serve(binaries, user, data, settings, port) {
  const postgres = spawn(
    join(binaries, 'postgres'),
    ['-D', data, '-h', '127.0.0.1', '-p', String(port), '-k', ''].concat(
      ['max_connections=200', ...settings].flatMap((setting) => ['-c', setting]),
    ),
    { ...user, cwd: '/', stdio: ['ignore', 'ignore', 'pipe'] },
  );
  const log = listenTo(postgres.stderr);
  const ready = await Promise.race([log.saw(READY), once(postgres, 'exit').then(() => false)]);
  postgres.unref();
  postgres.stderr.unref();
  return { postgres, log, ready };
}

function listenTo(stream) {
  const heard = {
    text: '',
    saw: (words) =>
      new Promise((resolve) => {
        stream.on('data', () => heard.text.includes(words) && resolve(true));
      }),
  };
  stream.setEncoding('utf8').on('data', (chunk) => (heard.text = (heard.text + chunk).slice(-4_000)));
  return heard;
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}
