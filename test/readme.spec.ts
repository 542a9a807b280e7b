import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import ts from 'typescript';
import { API_ROUTES, type ApiRoute, ROUTE_KEYS, routeName } from '#contracts/api/api.routes.js';
import { anchorsOf, blocksOf, pageOf, ROOT, sectionOf, tableOf } from './support/markdown.js';

const PAGES = ['README.md', 'CONTRIBUTING.md', 'ARCHITECTURE.md', 'SECURITY.md', 'CHANGELOG.md'].concat(
  ['docs/guides', 'docs/decisions', 'docs/contributing'].flatMap((folder) =>
    readdirSync(join(ROOT, folder)).map((name) => `${folder}/${name}`),
  ),
);
const readme = pageOf('README.md');
const code = PAGES.flatMap((page) => blocksOf(pageOf(page))).filter(({ language }) => language === 'ts');

/** Blocks by path: in this repository, or in a host folder beside it. */
const blocks = new Map(
  code
    .filter(({ path }) => path !== null)
    .map(
      ({ path, text }) => [join(ROOT, path?.startsWith('libs/') ? '' : 'host', path ?? ''), text] as const,
    ),
);

/** Compiles the blocks as one program. `nest-guardrails` resolves through the exports of package.json, as in a host. */
function errorsInBlocks(): readonly string[] {
  const { config } = ts.readConfigFile(join(ROOT, 'tsconfig.base.json'), (path) =>
    readFileSync(path, 'utf8'),
  );
  const { options, errors } = ts.convertCompilerOptionsFromJson(
    {
      ...(config as { readonly compilerOptions: object }).compilerOptions,
      composite: false,
      incremental: false,
      noEmit: true,
      rootDir: ROOT,
      outDir: join(ROOT, 'dist'),
    },
    ROOT,
  );
  const disk = ts.createCompilerHost(options);
  const host: ts.CompilerHost = {
    ...disk,
    fileExists: (path) => blocks.has(path) || disk.fileExists(path),
    readFile: (path) => blocks.get(path) ?? disk.readFile(path),
    directoryExists: (path) =>
      [...blocks.keys()].some((block) => block.startsWith(`${path}/`)) ||
      disk.directoryExists?.(path) === true,
    getSourceFile(path, version, ...rest) {
      const text = blocks.get(path);
      return text === undefined
        ? disk.getSourceFile(path, version, ...rest)
        : ts.createSourceFile(path, text, version, true);
    },
  };
  const program = ts.createProgram([...blocks.keys()], options, host);
  const found = [...blocks.keys()].flatMap((path) => {
    const file = program.getSourceFile(path);
    return [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)];
  });
  return [...errors, ...found].map(
    ({ file, messageText }) =>
      `${relative(ROOT, file?.fileName ?? ROOT)}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`,
  );
}

const sources = ['src', 'libs', 'apps'].flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.spec.ts'))
    .map((name) => readFileSync(join(ROOT, folder, name), 'utf8')),
);

/** A path beside the prefix is marked as such. */
function shownRoute({ method, path, beside }: ApiRoute): string {
  return beside === true ? `${method} <name>${path}, beside the prefix` : `${method} ${path}`;
}

describe('the README', () => {
  it('imports the module in fifteen lines, with a guard and the token secret', () => {
    const module = blocksOf(readme).find(({ path }) => path === 'app.module.ts')?.text ?? '';
    const lines = module.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('//'));
    expect(lines.length).toBeLessThanOrEqual(15);
    expect(module).toMatch(/implements CanActivate[^]*middleware: \[OperatorsOnly\][^]*token_secret/);
  });

  it('lists every route', () => {
    expect(tableOf(sectionOf(readme, '## The routes')).map(([name, route]) => [name, route])).toEqual(
      ROUTE_KEYS.map((key) => [routeName(key), shownRoute(API_ROUTES[key])]),
    );
  });

  it('quotes error messages that exist in the code', () => {
    const quoted = tableOf(sectionOf(readme, '## When it does not start'))
      .map(([message = '']) => message)
      .filter((message) => !message.startsWith('nothing'));
    expect(quoted.length).toBeGreaterThan(9);
    expect(quoted.filter((message) => !sources.some((text) => text.includes(message)))).toEqual([]);
  });
});

describe('the documentation', () => {
  it('has code blocks that compile', () => {
    expect(blocks.size).toBeGreaterThan(6);
    // Blocks without a path must be single lines.
    expect(code.filter(({ path, text }) => path === null && text.trim().includes('\n'))).toEqual([]);
    expect(errorsInBlocks()).toEqual([]);
  });

  it.each(PAGES)('%s has no broken links', (name) => {
    const page = pageOf(name);
    const links = Array.from(page.matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]*))?\)/g));
    const broken = links.filter(([, path = '', anchor]) => {
      const target = path === '' ? join(ROOT, name) : join(ROOT, dirname(name), path);
      if (!existsSync(target)) return true;
      return anchor !== undefined && !anchorsOf(readFileSync(target, 'utf8')).includes(anchor);
    });
    expect(broken.map(([link]) => link)).toEqual([]);
  });
});
