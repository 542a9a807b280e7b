// Replaces files by what is published; .ci/postpack.mjs puts them back, so that `npm pack` changes nothing here.
// dist: the bundles (see bundle.mjs), their types and the panel. Types have relative paths instead of package subpaths
// (#contracts/index.js): hosts that compile with an older module resolution would get `any` for types behind a subpath.
// package.json: the entries of the bundles, and nothing that only works in the repository.
// Pages: their links become absolute with a repository in package.json, which the release workflow sets. Without one,
// links to files that are not published become plain text.
// sbom.cdx.json and THIRD-PARTY-LICENSES.txt: the packages that an installation brings, and those inside dist.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundle } from './bundle.mjs';
import { keepOriginals, putBack } from './postpack.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const DIST = join(ROOT, 'dist');
putBack();
const MANIFEST = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
const { exports, imports, version } = MANIFEST;
const HOW_TO_SET = 'npm pkg set repository.url=git+https://…';

/** The address of the repository for links, or `undefined` outside of a release. */
const repository = MANIFEST.repository?.url?.replace(/^git\+|\.git$/g, '');
if (repository === undefined && process.env.npm_command === 'publish')
  throw new Error(`package.json names no repository, and a release is linked to one: ${HOW_TO_SET}`);

/** Specifiers of static imports, re-exports, dynamic imports and import types. */
const SPECIFIER = /(\bfrom\s*|\bimport\s*\(?\s*)(['"])([^'"\n]+)\2/g;

const PANEL = join(DIST, 'apps/panel');
/** Fields of package.json that name files of the repository, or packages that only it needs. Bundles need no type. */
const ONLY_HERE = [
  'type',
  'imports',
  'scripts',
  'dependencies',
  'devDependencies',
  'overrides',
  'allowScripts',
];
/** Its table of confusable characters is in dist. */
const COPIED_FROM = ['unhomoglyph'];

for (const program of [
  ['typescript/bin/tsc', '-b'],
  ['vite/bin/vite.js', 'build', 'apps/panel', '--logLevel', 'warn'],
]) {
  const [script, ...parameters] = program;
  execFileSync(process.execPath, [join(ROOT, 'node_modules', script), ...parameters], {
    cwd: ROOT,
    stdio: 'inherit',
  });
}

keepOriginals();
const kept = new Set(filesOf(PANEL));
const pending = Object.values(exports).flatMap(({ types }) =>
  types === undefined ? [] : [join(ROOT, types)],
);
for (const file of pending) {
  if (kept.has(file)) continue;
  if (!existsSync(file))
    throw new Error(`${relative(ROOT, file)} does not exist, but a published file needs it.`);
  kept.add(file);
  pending.push(...rewriteSpecifiers(file));
}
for (const file of filesOf(DIST)) if (!kept.has(file)) rmSync(file);
const entries = await bundle(MANIFEST, ROOT, DIST);
console.log(`dist contains ${filesOf(DIST).length} files.`);

writeLicenses(join(ROOT, 'sbom.cdx.json'), join(ROOT, 'THIRD-PARTY-LICENSES.txt'));
if (repository === undefined)
  console.log(`Links to files that are not packed become plain text. To make them absolute: ${HOW_TO_SET}`);
for (const page of ['README.md', 'CHANGELOG.md', 'SECURITY.md']) mendLinks(join(ROOT, page));
const published = Object.entries({ ...MANIFEST, ...entries }).filter(([field]) => !ONLY_HERE.includes(field));
writeFileSync(join(ROOT, 'package.json'), `${JSON.stringify(Object.fromEntries(published), null, 2)}\n`);

function mendLinks(page) {
  const text = readFileSync(page, 'utf8').replaceAll(
    /(!?)\[((?:[^[\]]|\[[^\]]*\])*)\]\((?![a-z]+:|#)([^)\s]+)\)/g,
    (link, picture, label, target) => {
      if (repository === undefined) return MANIFEST.files.includes(target.split('#')[0]) ? link : label;
      // GitHub serves pages of the repository below /blob/BRANCH/, so ../../ is the repository itself.
      const path = target.startsWith('../../')
        ? target.slice(6)
        : `${picture === '' ? 'blob' : 'raw'}/v${version}/${target}`;
      return `${picture}[${label}](${repository}/${path})`;
    },
  );
  writeFileSync(page, text);
}

/** The lists of third parties: a CycloneDX document, and the text of every licence. */
function writeLicenses(sbomFile, licenseFile) {
  const sbom = JSON.parse(
    execFileSync('npm', ['sbom', '--sbom-format=cyclonedx', '--package-lock-only'], {
      cwd: ROOT,
      encoding: 'utf8',
      maxBuffer: 64 * 1024 * 1024,
    }),
  );
  const shipped = new Map();
  for (const name of [...Object.keys(MANIFEST.dependencies), ...panelPackages(), ...COPIED_FROM])
    addPackage(name, shipped);
  sbom.metadata.component.name = MANIFEST.name;
  sbom.components = sbom.components.filter(({ 'bom-ref': ref }) => shipped.has(ref));
  const refs = new Set([sbom.metadata.component['bom-ref'], ...shipped.keys()]);
  sbom.dependencies = sbom.dependencies
    .filter(({ ref }) => refs.has(ref))
    .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((each) => refs.has(each)) }));
  if (sbom.components.length !== shipped.size)
    throw new Error(
      'The lock file does not list every shipped package: run npm install and commit the lock file.',
    );
  writeFileSync(sbomFile, `${JSON.stringify(sbom, null, 2)}\n`);
  writeFileSync(licenseFile, [...shipped.values()].join(`\n${'-'.repeat(80)}\n\n`));
}

/** Packages that are built into the panel. */
function panelPackages() {
  const sources = join(ROOT, 'apps/panel/src');
  const names = readdirSync(sources, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name))
    .flatMap((name) => [
      ...readFileSync(join(sources, name), 'utf8').matchAll(/\bfrom '((?:@[\w-]+\/)?[\w-]+)(?:\/[^']*)?'/g),
    ])
    .map(([, name]) => name);
  return new Set(names);
}

/** Adds a package and what it depends on, with the text of its licence. */
function addPackage(name, shipped) {
  const folder = join(ROOT, 'node_modules', name);
  const {
    version: installed,
    license,
    dependencies = {},
  } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const ref = `${name}@${installed}`;
  if (shipped.has(ref)) return;
  const file = readdirSync(folder).find((each) => /^licen[cs]e/i.test(each));
  if (file === undefined) throw new Error(`${ref} ships no licence text (${license}).`);
  shipped.set(ref, `${ref} (${license})\n\n${readFileSync(join(folder, file), 'utf8').trim()}\n`);
  for (const each of Object.keys(dependencies)) addPackage(each, shipped);
}

function filesOf(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

/** Replaces the subpaths in one file of types. Returns the files whose types it uses. */
function rewriteSpecifiers(file) {
  const loaded = [];
  const text = readFileSync(file, 'utf8');
  const rewritten = text.replaceAll(SPECIFIER, (match, before, quote, specifier) => {
    if (!/^[.#]/.test(specifier)) return match;
    const target = specifier.startsWith('#')
      ? subpathTarget(specifier, file)
      : resolve(dirname(file), specifier);
    loaded.push(target.replace(/\.js$/, '.d.ts'));
    const path = relative(dirname(file), target);
    return `${before}${quote}${path.startsWith('.') ? path : `./${path}`}${quote}`;
  });
  if (/['"]#[a-z]+\//.test(rewritten))
    throw new Error(`${relative(ROOT, file)} contains a package subpath that was not replaced.`);
  if (rewritten !== text) writeFileSync(file, rewritten);
  return loaded;
}

function subpathTarget(specifier, file) {
  const pattern = Object.keys(imports).find((key) => specifier.startsWith(key.slice(0, -1)));
  if (pattern === undefined)
    throw new Error(`${relative(ROOT, file)} imports ${specifier}, which package.json does not define.`);
  return join(ROOT, imports[pattern].default.replace('*', specifier.slice(pattern.length - 1)));
}
