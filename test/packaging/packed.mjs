import assert from 'node:assert/strict';
import { cp, readFile, symlink } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { run } from './run.mjs';

const REPOSITORY = fileURLToPath(new URL('../..', import.meta.url));
const LEFT_BEHIND = new Set(['node_modules', 'dist', 'data', 'coverage', '.git']);

/** Builds and packs a copy, so that nothing stale of this folder gets in, and nothing here is disturbed. */
export async function packed(workshop) {
  const copy = join(workshop, 'repository');
  await cp(REPOSITORY, copy, { recursive: true, filter: (path) => !LEFT_BEHIND.has(basename(path)) });
  await symlink(join(REPOSITORY, 'node_modules'), join(copy, 'node_modules'), 'dir');
  await run('npm', ['run', 'prepack'], copy);
  const [pack] = JSON.parse(
    await run('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', workshop], copy),
  );
  const manifest = JSON.parse(await readFile(join(copy, 'package.json'), 'utf8'));
  return new Tarball(
    join(workshop, pack.filename),
    pack.files.map(({ path }) => path),
    [...Object.values(manifest.exports), ...Object.values(manifest.bin)],
  );
}

class Tarball {
  constructor(path, files, named) {
    this.path = path;
    this.files = files;
    this.named = named;
  }

  assertComplete() {
    const targets = this.named.flatMap((target) =>
      typeof target === 'string' ? [target] : Object.values(target),
    );
    const missing = targets.filter((target) => !this.files.includes(target.replace(/^\.\//, '')));
    assert.deepEqual(missing, [], 'exports and commands without a file');
    const strange = this.files.filter((path) =>
      /\.spec\.|^test\/|^(dist\/)?apps\/(?!cli\/)|tsbuildinfo|tsconfig/.test(path),
    );
    assert.deepEqual(strange, [], 'files that do not belong into the package');
    for (const own of ['LICENSE', 'README.md', 'package.json'])
      assert.ok(this.files.includes(own), `${own} is missing`);
  }
}
