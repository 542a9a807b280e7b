import { randomBytes } from 'node:crypto';
import { appendFileSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { accountOf, giveTo } from '../servers/account.mjs';
import { reapedFolder } from '../servers/reaped-folder.mjs';
import { perform, serve } from '../servers/serve.mjs';

/** Binaries of Debian, because those from npm lack pg_basebackup. */
const BINARIES = '/usr/lib/postgresql/15/bin';
const PRIMARY = 'primary';
const REPLICA = 'replica';

/**
 * The data is deleted after the run, so it is not synchronized to the disk. Only a transaction with
 * `synchronous_commit = remote_apply` waits for the replica.
 */
const SETTINGS = [
  'fsync=off',
  'synchronous_commit=off',
  'full_page_writes=off',
  'max_connections=100',
  'synchronous_standby_names=*',
];

/** Starts a PostgreSQL and a streaming replica of it, each on a free port of 127.0.0.1, in a folder that is deleted with them. */
export async function startReplicatedPostgres() {
  if (!existsSync(`${BINARIES}/pg_basebackup`))
    throw new Error(`${BINARIES}/pg_basebackup is missing: apt-get install postgresql-15`);
  const user = accountOf(['postgres', 'nobody']);
  const folder = reapedFolder(
    'replica',
    [REPLICA, PRIMARY].map((name) => `${name}/postmaster.pid=SIGINT`),
  );
  const place = (name) => join(folder.path, name);
  const urlOf = (port) => `postgres://postgres:${password}@127.0.0.1:${port}/postgres`;
  const password = randomBytes(16).toString('hex');
  try {
    giveTo(user, folder.path);
    await makePrimary(place(PRIMARY), password, user);
    const primary = await start(place(PRIMARY), user);
    await copy(urlOf(primary.port), place(REPLICA), user);
    const replica = await start(place(REPLICA), user);
    return {
      url: urlOf(primary.port),
      replicaUrl: urlOf(replica.port),
      stop: () => folder.reap(),
    };
  } catch (error) {
    await folder.reap();
    throw error;
  }
}

async function makePrimary(data, password, user) {
  const passwordFile = `${data}.password`;
  writeFileSync(passwordFile, password, { mode: 0o600 });
  giveTo(user, passwordFile);
  const words = ['-D', data, '-U', 'postgres', '-A', 'password', '--pwfile', passwordFile];
  await perform(join(BINARIES, 'initdb'), [...words, '--encoding=UTF8', '--locale=C', '--no-sync'], user);
  appendFileSync(join(data, 'pg_hba.conf'), 'host replication all 127.0.0.1/32 password\n');
}

function copy(primaryUrl, data, user) {
  mkdirSync(data, { mode: 0o700 });
  giveTo(user, data);
  const words = ['-D', data, '-d', primaryUrl, '--checkpoint=fast', '--write-recovery-conf', '--no-sync'];
  return perform(join(BINARIES, 'pg_basebackup'), words, user);
}

function start(data, user) {
  const settings = SETTINGS.flatMap((setting) => ['-c', setting]);
  return serve(
    join(BINARIES, 'postgres'),
    (port) => ['-D', data, '-h', '127.0.0.1', '-p', String(port), '-k', '', ...settings],
    { user, ready: /ready to accept (read-only )?connections/ },
  );
}
