import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { cp, mkdir, readFile, symlink } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { run } from './run.mjs';

const REPOSITORY = fileURLToPath(new URL('../..', import.meta.url));
const MAX_FILES = 440;
/** A made-up address: the release workflow puts in that of its own repository. */
const ADDRESS = 'https://git.example/acme/nest-guardrails';
/** What the command `init` and the quick start write into an application. */
const OF_HOSTS = ['src/app.module.ts', 'src/app.controller.ts', 'src/guardrails.module.ts'];
const NOT_COPIED = new Set(['node_modules', 'coverage', '.git', '.vitepress']);
/** The default folder of the demo. The panel has a source folder of this name. */
const DEMO_DATA = join(REPOSITORY, 'data');

/** The line above each part of a bundle. */
const SOURCE_OF_A_BUNDLE = /^\s*\/\/ (?:libs|src|apps)\/\S+\.ts$/gm;

const isCopied = (path) => path !== DEMO_DATA && !NOT_COPIED.has(basename(path));

/** Packs a copy, so that this folder stays unchanged: as a contributor would, and as the release workflow does. */
export async function packed(workshop) {
  const repository = join(workshop, 'repository');
  await cp(REPOSITORY, repository, { recursive: true, filter: isCopied, preserveTimestamps: true });
  await symlink(join(REPOSITORY, 'node_modules'), join(repository, 'node_modules'), 'dir');
  await assert.rejects(
    run('npm', ['publish', '--dry-run'], repository),
    /names no repository/,
    'a release without a repository is refused',
  );
  const local = await Tarball.pack(repository, join(workshop, 'local'));
  for (const name of ['package.json', 'README.md', 'CHANGELOG.md', 'SECURITY.md'])
    assert.equal(
      await readFile(join(repository, name), 'utf8'),
      await readFile(join(REPOSITORY, name), 'utf8'),
      `${name} is as it was before npm pack`,
    );
  await run('bash', ['-euc', await commandOfRelease('Name this repository')], repository, {
    REPOSITORY: ADDRESS,
  });
  return { repository, local, tarball: await Tarball.pack(repository, join(workshop, 'release')) };
}

/** What the release workflow publishes, rehearsed without a login. --force: without asking which versions exist. */
export async function assertPublishable(repository) {
  await run('npm', ['publish', '--dry-run', '--force', '--access', 'public'], repository);
  const manifest = JSON.parse(await readFile(join(repository, 'package.json'), 'utf8'));
  assert.deepEqual(
    [manifest.repository.url, manifest.homepage, manifest.bugs.url],
    [`git+${ADDRESS}.git`, `${ADDRESS}#readme`, `${ADDRESS}/issues`],
  );
}

/** The command of one step of the release workflow. */
async function commandOfRelease(name) {
  const workflow = parse(await readFile(join(REPOSITORY, '.github/workflows/release.yml'), 'utf8'));
  const step = workflow.jobs.publish.steps.find((each) => each.name?.startsWith(name));
  assert.ok(step, `the release workflow has no step "${name} …"`);
  return step.run;
}

class Tarball {
  constructor(path, files, folder, repository) {
    this.path = path;
    this.files = files;
    this.folder = folder;
    this.repository = repository;
  }

  static async pack(repository, destination) {
    await mkdir(destination);
    const [pack] = JSON.parse(
      await run(
        'npm',
        ['pack', '--json', '--foreground-scripts=false', '--pack-destination', destination],
        repository,
      ),
    );
    const path = join(destination, pack.filename);
    await run('tar', ['-xzf', path], destination);
    const folder = join(destination, 'package');
    // For checks that load the files as they are.
    await symlink(join(REPOSITORY, 'node_modules'), join(folder, 'node_modules'), 'dir');
    const files = pack.files.map((file) => file.path);
    return new Tarball(path, files, folder, repository);
  }

  async assertComplete() {
    const { exports, bin } = JSON.parse(await readFile(join(this.folder, 'package.json'), 'utf8'));
    const pathsOf = (target) =>
      typeof target === 'string' ? [target] : Object.values(target).flatMap(pathsOf);
    const missing = [...Object.values(exports), ...Object.values(bin)]
      .flatMap(pathsOf)
      .filter((target) => !this.files.includes(target.replace(/^\.\//, '')));
    assert.deepEqual(missing, [], 'exports and commands without a file');
    const strange = this.files.filter((path) =>
      /\.spec\.|^test\/|^apps\/|^dist\/apps\/(?!(?:cli|panel)\/)|tsbuildinfo|tsconfig|(?<!\.d)\.c?ts$/.test(
        path,
      ),
    );
    assert.deepEqual(strange, [], 'files that do not belong in the package');
    for (const own of ['LICENSE', 'README.md', 'SECURITY.md', 'CHANGELOG.md', 'dist/apps/panel/index.html'])
      assert.ok(this.files.includes(own), `${own} is missing`);
    for (const auditors of ['docs/reference/openapi.json', 'tools/verify-export.mjs'])
      assert.ok(this.files.includes(auditors), `${auditors} is missing`);
  }

  /** V8 keeps a file with other characters in twice the memory. */
  async assertAscii() {
    const bundles = this.files.filter((path) => path.endsWith('.cjs'));
    const texts = await Promise.all(bundles.map((path) => readFile(join(this.folder, path), 'latin1')));
    assert.deepEqual(
      bundles.filter((_, index) => /[^\0-\x7f]/.test(texts[index])),
      [],
      'bundles with characters beyond ASCII',
    );
  }

  /** Every link of every page: into the repository, into the tarball, or to a heading. Other sites are not asked. */
  async assertLinks() {
    const dead = [];
    let count = 0;
    for (const page of this.files.filter((path) => path.endsWith('.md'))) {
      const text = await readFile(join(this.folder, page), 'utf8');
      for (const [, link] of text.matchAll(/\]\(([^)\s]+)\)/g)) {
        count += 1;
        if (!(await this.leadsSomewhere(link, text))) dead.push(`${page}: ${link}`);
      }
    }
    assert.ok(count > 0, 'no links were found');
    assert.deepEqual(dead, [], 'links of packed pages to nothing');
  }

  async leadsSomewhere(link, page) {
    const [address, heading] = link.split('#');
    if (address === '') return headings(page).includes(heading);
    if (this.files.includes(address)) return true;
    if (!address.startsWith(`${ADDRESS}/`)) return /^https:\/\/(?!git\.example)/.test(address);
    const [kind, , ...path] = address.slice(ADDRESS.length + 1).split('/');
    if (['security', 'actions', 'discussions'].includes(kind)) return true;
    const target = join(this.repository, ...path);
    if (!['blob', 'raw'].includes(kind) || !existsSync(target)) return false;
    return heading === undefined || headings(await readFile(target, 'utf8')).includes(heading);
  }

  /** Paths of the repository in any file: comments, messages, pages. The panel has only names of its own. */
  async assertPaths() {
    const missing = [];
    // Files of other packages have no source map, and name paths of their own.
    const isForeign = (name) => /^dist\/chunks\/.*cjs$/.test(name) && !this.files.includes(`${name}.map`);
    for (const file of this.files.filter(
      (name) => !isForeign(name) && !/^dist\/apps\/panel\/|\.cdx\.json$/.test(name),
    )) {
      const text = (await readFile(join(this.folder, file), 'utf8')).replaceAll(SOURCE_OF_A_BUNDLE, '');
      for (const [, path] of text.matchAll(
        /(?<![\w./@-])((?:docs|test|libs|src|apps|tools|\.ci|\.github)\/[\w./-]*\.[a-z]+)\b/g,
      ))
        if (!this.files.includes(path) && !OF_HOSTS.includes(path)) missing.push(`${file}: ${path}`);
    }
    assert.deepEqual(missing, [], 'paths that are not in the package');
  }

  /** The list of parts and the licences name what an installation brings, and what is built into the panel. */
  async assertThirdParties() {
    const sbom = JSON.parse(await readFile(join(this.folder, 'sbom.cdx.json'), 'utf8'));
    const licenses = await readFile(join(this.folder, 'THIRD-PARTY-LICENSES.txt'), 'utf8');
    const { dependencies } = JSON.parse(await readFile(join(REPOSITORY, 'package.json'), 'utf8'));
    assert.equal(sbom.bomFormat, 'CycloneDX');
    for (const name of [...Object.keys(dependencies), 'entities', 'fast-uri', 'preact', 'unhomoglyph']) {
      const part = sbom.components.find((each) =>
        each.purl.startsWith(`pkg:npm/${name.replace('@', '%40')}@`),
      );
      assert.ok(part, `sbom.cdx.json does not list ${name}`);
      assert.ok(licenses.includes(`${name}@${part.version} (`), `no licence of ${name}`);
    }
    for (const file of ['sbom.cdx.json', 'THIRD-PARTY-LICENSES.txt'])
      assert.ok(this.files.includes(file), `${file} is missing`);
  }

  /** Hosts with an older module resolution would get `any` for types behind a package subpath. */
  async assertRelativeImports() {
    const withSubpaths = [];
    for (const path of this.files.filter((name) => /\.(?:[cm]js|d\.m?ts)$/.test(name))) {
      const text = await readFile(join(this.folder, path), 'utf8');
      if (/(from|import)\s*\(?\s*['"]#/.test(text)) withSubpaths.push(path);
    }
    assert.deepEqual(withSubpaths, [], 'files that import a package subpath');
  }

  assertSmall() {
    assert.ok(this.files.length <= MAX_FILES, `${this.files.length} files, more than ${MAX_FILES}`);
  }
}

/** The anchors of the headings of a page, as GitHub makes them. */
function headings(page) {
  return [...page.matchAll(/^#+ (.+)$/gm)].map(([, title]) =>
    title
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  );
}
