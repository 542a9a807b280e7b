// Measures the product code and compares it with the ceiling, the table in docs/decisions/ceiling.md.
// Usage: node test/structure/measure.mjs [--list] [--lower]
// `--list` names what is counted one by one. `--lower` writes figures that fell into the table.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const CEILING = join(ROOT, 'docs/decisions/ceiling.md');
const LONG_FUNCTION = 60;
const LONG_FILE = 700;
const { exports: subpaths, imports: aliases } = JSON.parse(read('package.json'));

const tracked = execFileSync(
  'git',
  ['ls-files', '--cached', '--others', '--exclude-standard', 'libs', 'src', 'apps'],
  {
    cwd: ROOT,
    encoding: 'utf8',
  },
)
  .trim()
  .split('\n')
  .filter((path) => ts.sys.fileExists(join(ROOT, path)));
const sources = tracked
  .filter((path) => /\.(?:ts|tsx|mts|mjs)$/.test(path) && !/\.spec\.tsx?$/.test(path))
  .map((path) => ({ path, text: read(path), isData: path.endsWith('.data.ts') }));
const code = sources.filter(({ isData }) => !isData);
const trees = new Map(
  sources.map(({ path, text }) => [path, ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true)]),
);

const notData = sources.filter(({ path, isData }) => isData && !holdsLiteralsOnly(trees.get(path)));
if (notData.length > 0)
  throw new Error(
    `A data file holds literals only: no function, regular expression or template. Move the code out of ${notData.map(({ path }) => path).join(', ')}.`,
  );

const functions = code.flatMap(({ path }) => longFunctions(path));
const longFiles = code.filter(({ text }) => text.split('\n').length - 1 > LONG_FILE).map(({ path }) => path);
const arrows = importsOf(code);
const fileCircles = circles(arrows);
const folderCircles = circles(
  arrows.map(([from, to]) => [dirname(from), dirname(to)]).filter(([from, to]) => from !== to),
);

/** Every figure, and what it counts one by one. */
const figures = new Map([
  ['tokens of code', [sum(code.map(({ path }) => tokens(path)))]],
  ['files', [sources.length]],
  ['tokens of data', [sum(sources.filter(({ isData }) => isData).map(({ path }) => tokens(path)))]],
  ['bytes of CSS', [sum(tracked.filter((path) => path.endsWith('.css')).map((path) => read(path).length))]],
  [`functions over ${LONG_FUNCTION} lines`, [functions.length, functions]],
  [`files over ${LONG_FILE} lines`, [longFiles.length, longFiles]],
  ['files in circles', [fileCircles.length, fileCircles]],
  ['folders in circles', [folderCircles.length, folderCircles]],
  ...exportedNames(),
]);

const page = readFileSync(CEILING, 'utf8');
const ceilings = new Map(
  [...page.matchAll(/^\| (.+?) +\| +([\d,]+) \|$/gm)].map(([, name, figure]) => [
    name,
    Number(figure.replaceAll(',', '')),
  ]),
);
let lowered = page;
const above = [];
for (const [name, [figure, items = []]] of figures) {
  const ceiling = ceilings.get(name);
  const mark =
    ceiling === undefined ? 'not in the table' : figure > ceiling ? `above ${format(ceiling)}` : '';
  if (mark !== '') above.push(name);
  console.log(`${name.padEnd(34)} ${format(figure).padStart(9)}  ${mark}`.trimEnd());
  if (process.argv.includes('--list')) for (const item of items) console.log(`  ${item}`);
  if (figure < (ceiling ?? 0))
    lowered = lowered.replace(row(name, ceiling), (line) =>
      line.replace(format(ceiling), format(figure).padStart(format(ceiling).length)),
    );
}
for (const name of ceilings.keys())
  if (!figures.has(name))
    throw new Error(`docs/decisions/ceiling.md has a row for "${name}", which is not measured.`);

if (process.argv.includes('--lower')) writeFileSync(CEILING, lowered);
else if (lowered !== page) console.log('\nSome figures fell. Write them down: npm run measure -- --lower');
if (above.length > 0) {
  console.error(
    `\n${above.join(', ')}: above the ceiling. Remove something, or raise the row in docs/decisions/ceiling.md and say there why.`,
  );
  process.exitCode = 1;
}

function read(path) {
  return readFileSync(join(ROOT, path), 'utf8');
}

function sum(numbers) {
  return numbers.reduce((total, number) => total + number, 0);
}

function format(figure) {
  return figure.toLocaleString('en-US');
}

function row(name, ceiling) {
  return new RegExp(
    `^\\| ${name.replaceAll(/[.*+?^$()[\]{}|\\/]/g, String.raw`\$&`)} +\\| +${format(ceiling)} \\|$`,
    'm',
  );
}

/**
 * The tokens of a file: the leaves of its syntax tree. The scanner alone cannot tell a regular expression from a
 * division or a template from a brace; the parser rescans those. Comments and white space are free.
 */
function tokens(path) {
  let count = 0;
  const tree = trees.get(path);
  const visit = (node) => {
    if (node.kind >= ts.SyntaxKind.FirstJSDocNode && node.kind <= ts.SyntaxKind.LastJSDocNode) return;
    const children = node.getChildren(tree);
    if (children.length === 0) count += node.getText(tree) === '' ? 0 : 1;
    else for (const child of children) visit(child);
  };
  visit(tree);
  return count;
}

/** A text over several lines counts as a literal; a template with a value in it is code. */
function holdsLiteralsOnly(tree) {
  let only = true;
  const visit = (node) => {
    if (ts.isFunctionLike(node) || ts.isRegularExpressionLiteral(node) || ts.isTemplateExpression(node))
      only = false;
    else ts.forEachChild(node, visit);
  };
  visit(tree);
  return only;
}

function longFunctions(path) {
  const tree = trees.get(path);
  const found = [];
  const visit = (node) => {
    if (ts.isFunctionLike(node) && node.body !== undefined) {
      const [from, to] = [node.getStart(tree), node.getEnd()].map(
        (at) => tree.getLineAndCharacterOfPosition(at).line,
      );
      if (to - from + 1 > LONG_FUNCTION) found.push(`${path}:${from + 1} ${to - from + 1} lines`);
    }
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return found;
}

/** Pairs of files, the importer first. Imports of types count: a reader follows them as well. */
function importsOf(files) {
  const paths = new Set(files.map(({ path }) => path));
  return files.flatMap(({ path, text }) =>
    ts
      .preProcessFile(text, true, true)
      .importedFiles.map(({ fileName }) => sourceOf(fileName, path))
      .flatMap((target) => [target.replace(/\.js$/, '.ts'), target.replace(/\.js$/, '.tsx')])
      .filter((target) => paths.has(target))
      .map((target) => [path, target]),
  );
}

function sourceOf(specifier, importer) {
  if (specifier.startsWith('.')) return join(dirname(importer), specifier);
  const alias = Object.keys(aliases).find((key) => specifier.startsWith(key.slice(0, -1)));
  return alias === undefined
    ? specifier
    : join(aliases[alias].types.replace('*', specifier.slice(alias.length - 1)));
}

/** The members of all circles: nodes that can reach themselves (strongly connected components, by Tarjan). */
function circles(pairs) {
  const targets = new Map();
  for (const [from, to] of pairs) targets.set(from, [...(targets.get(from) ?? []), to]);
  const [index, low, stack, members] = [new Map(), new Map(), [], []];
  const visit = (node) => {
    index.set(node, index.size);
    low.set(node, index.get(node));
    stack.push(node);
    for (const to of targets.get(node) ?? []) {
      if (!index.has(to)) visit(to);
      if (stack.includes(to)) low.set(node, Math.min(low.get(node), low.get(to)));
    }
    if (low.get(node) !== index.get(node)) return;
    const component = stack.splice(stack.indexOf(node));
    if (component.length > 1) members.push(...component);
  };
  for (const node of targets.keys()) if (!index.has(node)) visit(node);
  return members.toSorted((one, other) => one.localeCompare(other));
}

/** The names that each subpath of the package exports, types included. */
function exportedNames() {
  const entries = Object.entries(subpaths)
    .filter(([, target]) => typeof target !== 'string')
    .map(([name, { types }]) => [name, types.replace(/^\.\/dist\//, '').replace(/\.d\.ts$/, '.ts')]);
  const { options } = ts.parseJsonConfigFileContent(
    ts.readConfigFile(join(ROOT, 'tsconfig.base.json'), (path) => ts.sys.readFile(path)).config,
    ts.sys,
    ROOT,
  );
  const program = ts.createProgram(
    entries.map(([, path]) => join(ROOT, path)),
    { ...options, composite: false, incremental: false, noEmit: true },
  );
  const checker = program.getTypeChecker();
  return entries.map(([name, path]) => {
    const module = checker.getSymbolAtLocation(program.getSourceFile(join(ROOT, path)));
    const names = checker.getExportsOfModule(module).map((symbol) => symbol.name);
    return [`names exported by ${name}`, [names.length, names]];
  });
}
