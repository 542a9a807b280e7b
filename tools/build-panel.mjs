import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const ROOT = new URL('../', import.meta.url);
const BUILT = new URL('dist/apps/panel/index.html', ROOT);

/** What the built panel depends on. Other packages change with the lock file. */
const SOURCES = ['apps/panel/', 'libs/client/src/', 'libs/contracts/src/', 'package-lock.json'];

function newestOf(/** @type {URL} */ file) {
  const own = statSync(file);
  if (!own.isDirectory()) return own.mtimeMs;
  // A deleted file changes only its folder.
  return readdirSync(file, { withFileTypes: true }).reduce(
    (newest, entry) =>
      Math.max(
        newest,
        newestOf(new URL(encodeURIComponent(entry.name) + (entry.isDirectory() ? '/' : ''), file)),
      ),
    own.mtimeMs,
  );
}

/** Builds the panel, unless it is newer than its sources: a start of the demo would otherwise wait for it every time. */
export function buildPanel() {
  if (
    existsSync(BUILT) &&
    SOURCES.every((source) => newestOf(new URL(source, ROOT)) < statSync(BUILT).mtimeMs)
  )
    return;
  console.log('Building the panel.');
  const vite = fileURLToPath(new URL('node_modules/vite/bin/vite.js', ROOT));
  const { status } = spawnSync(process.execPath, [vite, 'build', 'apps/panel', '--logLevel', 'warn'], {
    cwd: fileURLToPath(ROOT),
    stdio: 'inherit',
  });
  if (status !== 0) process.exit(status ?? 1);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) buildPanel();
