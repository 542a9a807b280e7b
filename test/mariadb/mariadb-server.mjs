import { randomBytes } from 'node:crypto';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { accountOf, giveTo } from '../servers/account.mjs';
import { reapedFolder } from '../servers/reaped-folder.mjs';
import { perform, serve } from '../servers/serve.mjs';

const SERVER = '/usr/sbin/mariadbd';
const PID_FILE = 'mariadb.pid';

/** Nothing in it outlives the run, so nothing needs to reach the disk. */
const THROW_AWAY = [
  '--innodb-flush-log-at-trx-commit=0',
  '--innodb-doublewrite=0',
  '--innodb-log-file-size=64M',
  '--sync-binlog=0',
  '--skip-name-resolve',
  '--max-connections=200',
  // Of another language and another place than ours: nothing may depend on what a server has as its default.
  '--character-set-server=latin1',
  '--default-time-zone=+05:45',
];

/** Starts Debian's MariaDB on a free port of 127.0.0.1, in a folder of its own that goes with it. */
export async function startMariadb() {
  if (!existsSync(SERVER)) throw new Error(`${SERVER} is missing: apt-get install mariadb-server`);
  const user = accountOf(['mysql', 'nobody']);
  const folder = reapedFolder('mariadb', [`${PID_FILE}=SIGTERM`]);
  try {
    giveTo(user, folder.path);
    const data = join(folder.path, 'data');
    await perform(
      'mariadb-install-db',
      ['--no-defaults', `--datadir=${data}`, '--auth-root-authentication-method=normal', '--skip-test-db'],
      user,
    );
    const password = randomBytes(16).toString('hex');
    const { port } = await serve(SERVER, wordsFor(folder.path, data, accountsFile(folder.path, password)), {
      user,
      ready: 'ready for connections',
    });
    return { url: `mariadb://tester:${password}@127.0.0.1:${port}/`, stop: () => folder.reap() };
  } catch (error) {
    await folder.reap();
    throw error;
  }
}

/** The one account that can log in from outside. The server takes a line for a statement. */
function accountsFile(folder, password) {
  const file = join(folder, 'accounts.sql');
  const account = `tester@'127.0.0.1'`;
  const lines = [
    `create user ${account} identified by '${password}';`,
    `grant all on *.* to ${account} with grant option;`,
  ];
  writeFileSync(file, `${lines.join('\n')}\n`, { mode: 0o644 });
  return file;
}

const wordsFor = (folder, data, accounts) => (port) => [
  '--no-defaults',
  `--datadir=${data}`,
  `--socket=${join(folder, 'socket')}`,
  `--pid-file=${join(folder, PID_FILE)}`,
  `--init-file=${accounts}`,
  '--bind-address=127.0.0.1',
  `--port=${port}`,
  ...THROW_AWAY,
];
