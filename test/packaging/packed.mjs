import assert from 'node:assert/strict';
import { cp, readFile, symlink } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { run } from './run.mjs';

const REPOSITORY = fileURLToPath(new URL('../..', import.meta.url));
/** Without the two files of each entry for CommonJS. */
const MAX_FILES = 900;
const NOT_COPIED = new Set(['node_modules', 'dist', 'coverage', '.git']);
/** The default folder of the demo. The panel has a source folder of this name. */
const DEMO_DATA = join(REPOSITORY, 'data');

const isCopied = (path) => path !== DEMO_DATA && !NOT_COPIED.has(basename(path));

/** Builds and packs a copy, so that this folder stays unchanged and no stale file is packed. */
export async function packed(workshop) {
  const copy = join(workshop, 'repository');
  await cp(REPOSITORY, copy, { recursive: true, filter: isCopied });
  await symlink(join(REPOSITORY, 'node_modules'), join(copy, 'node_modules'), 'dir');
  await run('npm', ['run', 'prepack'], copy);
  const [pack] = JSON.parse(
    await run('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', workshop], copy),
  );
  const manifest = JSON.parse(await readFile(join(copy, 'package.json'), 'utf8'));
  return new Tarball(
    join(workshop, pack.filename),
    pack.files.map(({ path }) => path),
    copy,
    [...Object.values(manifest.exports), ...Object.values(manifest.bin)],
  );
}

class Tarball {
  constructor(path, files, folder, named) {
    this.path = path;
    this.files = files;
    this.folder = folder;
    this.named = named;
  }

  assertComplete() {
    const pathsOf = (target) =>
      typeof target === 'string' ? [target] : Object.values(target).flatMap(pathsOf);
    const missing = this.named
      .flatMap(pathsOf)
      .filter((target) => !this.files.includes(target.replace(/^\.\//, '')));
    assert.deepEqual(missing, [], 'exports and commands without a file');
    const strange = this.files.filter((path) =>
      /\.spec\.|\.map$|^test\/|^apps\/|^dist\/apps\/(?!(?:cli|panel)\/)|tsbuildinfo|tsconfig|(?<!\.d)\.c?ts$/.test(
        path,
      ),
    );
    assert.deepEqual(strange, [], 'files that do not belong in the package');
    for (const own of ['LICENSE', 'README.md', 'package.json', 'dist/apps/panel/index.html'])
      assert.ok(this.files.includes(own), `${own} is missing`);
  }
  /** Relative links and pictures of the README, which npm and editors show. */
  async assertLinks() {
    const text = await readFile(join(this.folder, 'README.md'), 'utf8');
    const links = [...text.matchAll(/\]\((?!https?:|#)([^)#]+)/g)].map(([, link]) => link);
    const dead = links.filter(
      (link) => !this.files.some((path) => path === link || path.startsWith(`${link}/`)),
    );
    assert.deepEqual(dead, [], 'links of the README to files that are not in the tarball');
  }

  /** Hosts with an older module resolution would get `any` for types behind a package subpath. */
  async assertRelativeImports() {
    const withSubpaths = [];
    for (const path of this.files.filter((name) => /\.(js|d\.ts)$/.test(name))) {
      const text = await readFile(join(this.folder, path), 'utf8');
      if (/(from|import)\s*\(?\s*['"]#/.test(text)) withSubpaths.push(path);
    }
    assert.deepEqual(withSubpaths, [], 'files that import a package subpath');
  }

  assertSmall() {
    const files = this.files.filter((name) => !/\.c(?:js|ts)$/.test(name));
    assert.ok(files.length <= MAX_FILES, `${files.length} files, more than ${MAX_FILES}`);
  }
}
