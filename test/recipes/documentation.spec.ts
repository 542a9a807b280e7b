import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { expect, it } from '@jest/globals';
import ts from 'typescript';
import { blocksOf, pageOf, PAGES, ROOT } from '../support/markdown.js';

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

it('the code blocks of all pages compile', () => {
  expect(blocks.size).toBeGreaterThan(6);
  // Blocks without a path must be single lines.
  expect(code.filter(({ path, text }) => path === null && text.trim().includes('\n'))).toEqual([]);
  expect(errorsInBlocks()).toEqual([]);
}, 120_000);
