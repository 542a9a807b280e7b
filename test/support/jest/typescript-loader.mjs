import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { transformSync, version } from '@swc/core';

const ROOT = new URL('../../../', import.meta.url);
const CACHE = new URL('node_modules/.cache/specs/', ROOT);
mkdirSync(CACHE, { recursive: true });

/** The package subpaths of "imports" in package.json, with their sources in place of the compiled files. */
const SUBPATHS = Object.entries(JSON.parse(readFileSync(new URL('package.json', ROOT), 'utf8')).imports).map(
  ([subpath, { types }]) => [subpath.slice(0, -1), new URL(types.slice(0, -1), ROOT)],
);

/** Folders whose files import packages of frameworks. */
const ADAPTERS = ['libs/adapters/', 'test/adapters/'].map((folder) => new URL(folder, ROOT).pathname);

/** Packages that stand for others in one run, such as `SPECS_USE=typeorm=typeorm-0.3`. */
const REPLACEMENTS = new URLSearchParams(process.env.SPECS_USE);

const COMPILER = {
  jsc: {
    parser: { syntax: 'typescript', decorators: true },
    transform: { legacyDecorator: true, decoratorMetadata: true, verbatimModuleSyntax: true },
    target: 'es2022',
    keepClassNames: true,
  },
  module: { type: 'es6' },
  sourceMaps: true,
};

/**
 * Resolves `.js` in TypeScript sources to the `.ts` file, and `#subpath` to the sources. A module that is imported with
 * `?without=NAME`, and the adapters that it imports, find no package of that name; with `?NAME=OTHER` they get the
 * package `OTHER`. Only adapters import frameworks; the engine is not loaded again.
 */
export async function resolve(specifier, context, next) {
  if (specifier === '@jest/globals')
    return { url: new URL('globals.mjs', import.meta.url).href, shortCircuit: true };
  const source = sourceOf(specifier, context.parentURL);
  const wanted = context.parentURL ? new URL(context.parentURL).searchParams : new URLSearchParams();
  if (!source) {
    if (specifier === wanted.get('without'))
      throw Object.assign(new Error(`Cannot find package '${specifier}'`), { code: 'ERR_MODULE_NOT_FOUND' });
    const [name, ...rest] = specifier.split('/');
    return next([wanted.get(name) ?? REPLACEMENTS.get(name) ?? name, ...rest].join('/'), context);
  }
  const passedOn = ADAPTERS.some((folder) => source.pathname.startsWith(folder)) ? wanted : [];
  for (const [key, value] of passedOn) if (!source.searchParams.has(key)) source.searchParams.set(key, value);
  return { url: source.href, shortCircuit: true };
}

function sourceOf(specifier, parent) {
  const subpath = SUBPATHS.find(([prefix]) => specifier.startsWith(prefix));
  if (!subpath && !(specifier.startsWith('.') && parent && new URL(parent).pathname.endsWith('.ts')))
    return undefined;
  const source = subpath
    ? new URL(specifier.slice(subpath[0].length), subpath[1])
    : new URL(specifier, parent);
  source.pathname = source.pathname.replace(/\.js$/, '.ts');
  return existsSync(fileURLToPath(source)) ? source : undefined;
}

export async function load(url, context, next) {
  const { pathname } = new URL(url);
  if (!pathname.endsWith('.ts')) return next(url, context);
  const file = fileURLToPath(new URL(pathname, url));
  return { format: 'module', shortCircuit: true, source: compiled(file) };
}

/** Where the source map of a compiled file is. */
export const mapOf = (file) => fileURLToPath(new URL(`${nameOf(file)}.map`, CACHE));

const nameOf = (file) =>
  createHash('sha256')
    .update(`${version} ${JSON.stringify(COMPILER)} ${file} ${readFileSync(file, 'utf8')}`)
    .digest('hex');

function compiled(file) {
  const target = fileURLToPath(new URL(`${nameOf(file)}.js`, CACHE));
  if (existsSync(target)) return readFileSync(target, 'utf8');
  const { code, map } = transformSync(readFileSync(file, 'utf8'), { ...COMPILER, filename: file });
  write(mapOf(file), map);
  write(target, code);
  return code;
}

/** Written under a temporary name and renamed, because two workers may compile the same file. */
function write(file, text) {
  writeFileSync(`${file}.${process.pid}`, text);
  renameSync(`${file}.${process.pid}`, file);
}
