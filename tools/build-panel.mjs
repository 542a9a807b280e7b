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

const isBuilt =
  existsSync(BUILT) && SOURCES.every((source) => newestOf(new URL(source, ROOT)) < statSync(BUILT).mtimeMs);

/** Builds the panel, unless it is newer than its sources: a start of the demo would otherwise wait for it every time. */
if (!isBuilt) {
  console.log('Building the panel.');
  const { build } = await import('vite');
  // The sources of the client, so that nothing has to be compiled before.
  const find = /^#(client|contracts)\/(.*)\.js$/;
  const replacement = fileURLToPath(new URL('libs/$1/src/$2.ts', ROOT));
  const root = fileURLToPath(new URL('apps/panel', ROOT));
  await build({ root, logLevel: 'warn', resolve: { alias: [{ find, replacement }] } });
}
