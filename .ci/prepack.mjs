// Builds dist as it is published: the library, the command and the panel. Keeps only the files that the exports, the types and the command can load, without
// tests, source maps and build state, and replaces package subpaths (#contracts/index.js) by relative paths: hosts that
// compile with an older module resolution would get `any` for types behind a subpath.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const DIST = join(ROOT, 'dist');
const { bin, exports, imports } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));

/** Specifiers of static imports, re-exports, dynamic imports and import types. */
const SPECIFIER = /(\bfrom\s*|\bimport\s*\(?\s*)(['"])([^'"\n]+)\2/g;

const PANEL = join(DIST, 'apps/panel');

rmSync(DIST, { recursive: true, force: true });
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

const targets = Object.values(exports).filter((target) => typeof target !== 'string');
const entries = [...Object.values(bin), ...targets.flatMap((target) => [target.types, target.default])].map(
  (path) => join(ROOT, path),
);

const kept = new Set(
  readdirSync(PANEL, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name)),
);
const pending = entries.filter((path) => path.startsWith(DIST));
for (const file of pending) {
  if (kept.has(file)) continue;
  if (!existsSync(file))
    throw new Error(`${relative(ROOT, file)} does not exist, but a published file needs it.`);
  kept.add(file);
  pending.push(...rewriteSpecifiers(file));
}

for (const name of readdirSync(DIST, { recursive: true, withFileTypes: true })) {
  const path = join(name.parentPath, name.name);
  if (name.isFile() && !kept.has(path)) rmSync(path);
}
// Entries for CommonJS hosts. TypeScript does not let a CommonJS file import an ES module with `module: node16`, although
// every supported version of Node loads it. They load the same modules, so that there is one copy of each class.
for (const { require, default: module } of targets) {
  const path = `./${basename(module)}`;
  write(require.types, `export * from '${path}';\n`);
  write(require.default, `module.exports = require('${path}');\n`);
}
console.log(`dist contains ${kept.size} files.`);

function write(path, text) {
  writeFileSync(join(ROOT, path), text);
  kept.add(path);
}

/** Replaces the subpaths in one file. Returns the files that it loads, in the same kind: .d.ts or .js. */
function rewriteSpecifiers(file) {
  const loaded = [];
  const text = readFileSync(file, 'utf8');
  const rewritten = text.replaceAll(SPECIFIER, (match, before, quote, specifier) => {
    if (!/^[.#]/.test(specifier)) return match;
    const target = specifier.startsWith('#')
      ? subpathTarget(specifier, file)
      : resolve(dirname(file), specifier);
    loaded.push(file.endsWith('.d.ts') ? target.replace(/\.js$/, '.d.ts') : target);
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
