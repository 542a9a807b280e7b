import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { accountOf, giveTo } from '../servers/account.mjs';
import { reapedFolder } from '../servers/reaped-folder.mjs';
import { serve } from '../servers/serve.mjs';

const SERVER = '/usr/sbin/pgbouncer';
const PID_FILE = 'pgbouncer.pid';

/**
 * Debian's PgBouncer in transaction mode before the PostgreSQL at `serverUrl`, on a free port of 127.0.0.1, as it comes:
 * no start-up parameter is ignored. Its few server connections are shared, so session state of one client is visible to another one.
 */
export async function startPgbouncer(serverUrl) {
  if (!existsSync(SERVER)) throw new Error(`${SERVER} is missing: apt-get install pgbouncer`);
  const user = accountOf(['postgres', 'nobody']);
  const folder = reapedFolder('pgbouncer', [`${PID_FILE}=SIGTERM`]);
  try {
    giveTo(user, folder.path);
    const { port } = await serve(
      SERVER,
      (own) => [configurationFile(folder.path, own, new URL(serverUrl), user)],
      { user, ready: 'process up' },
    );
    const url = new URL(serverUrl);
    url.port = String(port);
    return { url: url.href, stop: () => folder.reap() };
  } catch (error) {
    await folder.reap();
    throw error;
  }
}

function configurationFile(folder, port, { hostname, port: serverPort, username, password }, user) {
  const file = join(folder, 'pgbouncer.ini');
  const lines = [
    '[databases]',
    `* = host=${hostname} port=${serverPort} user=${username} password=${password}`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${port}`,
    'unix_socket_dir =',
    `pidfile = ${join(folder, PID_FILE)}`,
    'auth_type = any',
    'pool_mode = transaction',
    'default_pool_size = 4',
    'max_client_conn = 500',
  ];
  writeFileSync(file, `${lines.join('\n')}\n`, { mode: 0o600 });
  giveTo(user, file);
  return file;
}
