// Puts back the files that .ci/prepack.mjs replaced. `npm publish` reads package.json and README once more after this,
// so there they stay until the next `npm pack`, or `node .ci/postpack.mjs`.
import { cpSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const ORIGINALS = join(ROOT, '.packing');
const REPLACED = ['dist', 'package.json', 'README.md', 'CHANGELOG.md', 'SECURITY.md'];

/** Keeps the files as they are now. */
export function keepOriginals() {
  mkdirSync(ORIGINALS);
  for (const name of REPLACED)
    cpSync(join(ROOT, name), join(ORIGINALS, name), { recursive: true, preserveTimestamps: true });
}

/** Does nothing if all files are original. */
export function putBack() {
  if (!existsSync(ORIGINALS)) return;
  for (const name of REPLACED.filter((each) => existsSync(join(ORIGINALS, each)))) {
    rmSync(join(ROOT, name), { recursive: true, force: true });
    renameSync(join(ORIGINALS, name), join(ROOT, name));
  }
  rmSync(ORIGINALS, { recursive: true });
}

if (process.argv[1] === fileURLToPath(import.meta.url) && process.env.npm_command !== 'publish') putBack();
