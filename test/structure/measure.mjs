// Prints the size of the product code: files, lines, and files with a single importer, which are candidates to merge.
// Usage: node test/structure/measure.mjs [--list] [--without=apps/panel,libs/client] [folder of a checkout]
// `--without` leaves out folders, to compare with figures from before they existed.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const [checkout] = process.argv.slice(2).filter((word) => !word.startsWith('--'));
const root = resolve(checkout ?? fileURLToPath(new URL('../..', import.meta.url)));
const { imports: subpaths = {} } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

/** Tables of data and generated files are not counted as lines of code. */
const IS_DATA = /\.data\.ts$|confusables|generated/;
const SPECIFIER = /\b(?:from|import)\s*\(?\s*'([^']+)'/g;

const without = process.argv.find((word) => word.startsWith('--without='))?.slice('--without='.length) ?? '';
const omitted = without === '' ? [] : without.split(',').map((folder) => `${folder}/`);

const files = ['libs', 'src', 'apps'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.spec.ts') && !name.includes('node_modules'))
    .map((name) => join(folder, name))
    .filter((file) => !omitted.some((left) => file.startsWith(left))),
);

const importers = new Map(files.map((file) => [file, new Set()]));
let lines = 0;
for (const file of files) {
  const text = readFileSync(join(root, file), 'utf8');
  if (!IS_DATA.test(file)) lines += text.split('\n').length - 1;
  for (const [, specifier] of text.matchAll(SPECIFIER)) importers.get(sourceOf(specifier, file))?.add(file);
}
const single = [...importers].filter(([, by]) => by.size === 1);
const neighbors = single.filter(([file, [by]]) => dirname(file) === dirname(by));

console.log(`product files          ${files.length} (target at most 350)`);
console.log(`product lines          ${lines} (target at most 37000)`);
console.log(
  `single-importer files  ${neighbors.length} in the folder of the importer (target at most 100), ${single.length} in all`,
);
if (process.argv.includes('--list')) for (const [file, [by]] of neighbors) console.log(`  ${file} <- ${by}`);

/** The source file of an internal import, relative to the root. */
function sourceOf(specifier, importer) {
  if (specifier.startsWith('.'))
    return relative(root, resolve(root, dirname(importer), specifier)).replace(/\.js$/, '.ts');
  const pattern = Object.keys(subpaths).find((key) => specifier.startsWith(key.slice(0, -1)));
  if (pattern === undefined) return specifier;
  return join(subpaths[pattern].types.replace('*', specifier.slice(pattern.length - 1))).replace(
    /\.js$/,
    '.ts',
  );
}

if (!existsSync(join(root, 'libs'))) throw new Error(`${root} is not a checkout of this repository.`);
