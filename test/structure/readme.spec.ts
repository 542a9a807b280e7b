import { execFileSync, spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { bench } from '../support/engine.js';
import { applied, stockNestApp } from '../support/stock-nest-app.mjs';
import {
  anchorsOf,
  blocksOf,
  pageOf,
  PAGES,
  ROOT,
  sectionOf,
  tableOf,
  wordsOf,
} from '../support/markdown.js';

const readme = pageOf('README.md');
const quickStart = pageOf('docs/start/quick-start.md');

const sources = ['src', 'libs', 'apps'].flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.spec.ts'))
    .map((name) => readFileSync(join(ROOT, folder, name), 'utf8')),
);

describe('the README', () => {
  it('has 600 to 750 words, and says in 25 what this is', () => {
    expect(wordsOf(readme)).toBeGreaterThanOrEqual(600);
    expect(wordsOf(readme)).toBeLessThanOrEqual(750);
    const pitch = readme.split('\n\n').find((paragraph) => /^[A-Z]/.test(paragraph)) ?? '';
    expect(wordsOf(pitch)).toBeLessThanOrEqual(25);
  });

  it('shows a picture of 12 seconds and at most 1.5 MB, and describes every picture', () => {
    const film = readFileSync(join(ROOT, 'docs/panel/demo.webp'));
    expect(readme).toContain('](docs/panel/demo.webp)');
    expect(film.length).toBeLessThanOrEqual(1_500_000);
    const frames = Array.from(film.toString('latin1').matchAll(/ANMF/g), ({ index }) =>
      film.readUIntLE(index + 20, 3),
    );
    expect(frames.reduce((sum, ms) => sum + ms, 0)).toBe(12_000);
    expect(readme).not.toMatch(/!\[\s*\]/);
  });

  it('shows the version of the built-in rules, and so does the quick start', async () => {
    const { engine } = await bench();
    const { rulesetVersion } = await engine.guardrails.screen('hello');
    await engine.stop();
    for (const page of [readme, quickStart])
      expect(page.match(/"ruleset_version":"([^"]*)"/)?.[1]).toBe(rulesetVersion);
  });

  it('has badges that agree with package.json', () => {
    const { license, engines, peerDependencies } = JSON.parse(pageOf('package.json')) as {
      readonly license: string;
      readonly engines: { readonly node: string };
      readonly peerDependencies: Readonly<Record<string, string>>;
    };
    const versions = (range = ''): string =>
      Array.from(range.matchAll(/(\d+(?:\.[1-9]\d*)?)[.\d]*/g), ([, version]) => version).join(' or ');
    expect(readme).toContain(`![License: ${license}]`);
    expect(readme).toContain(`![Node ${versions(engines.node).replaceAll(/(?= or|$)/g, '+')}]`);
    expect(readme).toContain(`![Nest ${versions(peerDependencies['@nestjs/core'])}]`);
    expect(existsSync(join(ROOT, '.github/workflows/ci.yml'))).toBe(true);
  });

  it('shows the quick start as the folder has it', () => {
    const { text: diff = '' } = blocksOf(readme).find(({ path }) => path === 'src/app.controller.ts') ?? {};
    expect(applied(diff, stockNestApp(12)['src/app.controller.ts'])).toBe(
      pageOf('examples/nest-minimal/src/app.controller.ts'),
    );
    const { text = '' } = blocksOf(quickStart).find(({ path }) => path === 'src/guardrails.module.ts') ?? {};
    expect(text.replace(/^.*\n/, '')).toBe(pageOf('examples/nest-minimal/src/guardrails.module.ts'));
  });

  it('has the quick start that the tests of the package follow', () => {
    const followed = blocksOf(quickStart).map(({ text }) => text);
    const shown = blocksOf(sectionOf(readme, '### Your application')).map(({ text }) => text);
    expect(shown.length).toBeGreaterThan(3);
    expect(shown.filter((text) => !followed.includes(text))).toEqual([]);
  });

  it('names the range of Node that package.json allows, as CONTRIBUTING does', () => {
    const { engines } = JSON.parse(pageOf('package.json')) as { readonly engines: { readonly node: string } };
    const range = Array.from(engines.node.matchAll(/(\d+\.\d+)\.\d+/g), ([, version]) => `${version}+`).join(
      ' or ',
    );
    for (const page of [readme, pageOf('CONTRIBUTING.md')]) expect(page).toContain(`\nNode ${range}`);
  });
});

describe('the page on your application', () => {
  it('imports the module in fifteen lines, with a guard and the token secret', () => {
    const module =
      blocksOf(pageOf('docs/start/nest-application.md')).find(({ path }) => path === 'app.module.ts')?.text ??
      '';
    const lines = module.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('//'));
    expect(lines.length).toBeLessThanOrEqual(15);
    expect(module).toMatch(/implements CanActivate[^]*middleware: \[OperatorsOnly\][^]*token_secret/);
  });
});

describe('pages of the repository', () => {
  it.each([
    ['CONTRIBUTING', pageOf('CONTRIBUTING.md'), 600],
    ['CHANGELOG', pageOf('CHANGELOG.md'), 250],
    ['CODE_OF_CONDUCT', pageOf('CODE_OF_CONDUCT.md'), 200],
    ['SECURITY', pageOf('SECURITY.md'), 1200],
  ])('%s has at most the words of its budget', (_, text, most) => {
    expect(wordsOf(text)).toBeLessThanOrEqual(most);
  });

  it('name only scripts that exist; package.json lists the ten of every day, and npm run x the others', () => {
    const { scripts } = JSON.parse(pageOf('package.json')) as { readonly scripts: object };
    const hooks = ['prepack', 'postpack', 'pretest'];
    const listed = Object.keys(scripts).filter((name) => !hooks.includes(name));
    expect(listed).toHaveLength(10);
    const printed = execFileSync('node', ['tools/x.mjs'], { cwd: ROOT, encoding: 'utf8' })
      .trimEnd()
      .split('\n');
    for (const line of printed) expect(line).toMatch(/^[a-z:-]+ +\S.{5,}$/);
    const others = printed.map((line) => line.split(' ')[0]);

    const files = [
      '.',
      '.ci',
      '.github',
      'docs',
      'src',
      'libs',
      'apps',
      'tools',
      'test/eval',
      'test/bench',
    ].flatMap((folder) =>
      readdirSync(join(ROOT, folder), { recursive: folder !== '.', encoding: 'utf8', withFileTypes: true })
        .filter(
          (entry) => entry.isFile() && /\.(md|ts|mjs|yml)$|^run$|^full$|^package\.json$/.test(entry.name),
        )
        .filter(({ parentPath }) => !/node_modules|vitepress|dist|docs\/project/.test(parentPath))
        .map(({ parentPath, name }) => join(parentPath, name)),
    );
    const named = files.flatMap((file) =>
      Array.from(
        readFileSync(file, 'utf8').matchAll(
          /\bnpm run (?:--silent )?(x -- )?([a-z][a-z:-]*)(?![a-z:-]| --prefix)/g,
        ),
        ([words, other, name]) => ({ file, words, known: (other ? others : listed).includes(name) }),
      ),
    );
    expect(named.length).toBeGreaterThan(100);
    expect(named.filter(({ known }) => !known)).toEqual([]);
    const x = spawnSync('node', ['tools/x.mjs', 'nonsense'], { cwd: ROOT, encoding: 'utf8' });
    expect([x.status, x.stderr]).toEqual([1, expect.stringContaining('There is no script nonsense.')]);
  });

  it('lets a bot update every folder with a lock file', () => {
    const { updates } = parse(pageOf('.github/dependabot.yml')) as {
      readonly updates: readonly { readonly directories?: readonly string[] }[];
    };
    const folders = ['/', '/docs', '/test/renderers'].filter((folder) =>
      existsSync(join(ROOT, folder, 'package-lock.json')),
    );
    expect(updates.flatMap(({ directories = [] }) => directories)).toEqual(folders);
  });
});

describe('the guide to boot messages', () => {
  it('quotes error messages that exist in the code', () => {
    const quoted = tableOf(pageOf('docs/guides/troubleshooting.md'))
      .map(([message = '']) => message)
      .filter((message) => !message.startsWith('nothing'));
    expect(quoted.length).toBeGreaterThan(9);
    expect(quoted.filter((message) => !sources.some((text) => text.includes(message)))).toEqual([]);
  });
});

describe('the check of words', () => {
  let folder = '';

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'words-'));
    execFileSync('git', ['init', '--quiet'], { cwd: folder });
    for (const name of ['docs/glossary.md', 'docs/reference/contract.md']) write(name, pageOf(name));
  });

  afterEach(() => rmSync(folder, { recursive: true }));

  function write(name: string, text: string): void {
    mkdirSync(join(folder, dirname(name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }

  function check(): readonly string[] {
    const { stderr, status } = spawnSync(process.execPath, ['test/structure/words.mjs', folder], {
      cwd: ROOT,
      encoding: 'utf8',
    });
    expect(status).toBe(stderr === '' ? 0 : 1);
    return stderr.split('\n').filter((line) => line.includes(': write'));
  }

  it('reports words that the glossary avoids, with the place and the word to write', () => {
    write('README.md', 'The HITL\nBridge holds\na parked call.\n');
    write(
      'libs/errors.ts',
      "export const message = `The ${'x'} must be a text.`;\nexport const chain = 'The end of the list of names of rules.';\n",
    );
    write('apps/panel/src/rule.tsx', '/** Shadow modes. */\nexport const rule = <b>Silenced</b>;\n');
    expect(check()).toEqual([
      'README.md:1 has "HITL": write "Approvals".',
      'README.md:1 has "HITL Bridge": write "Approvals".',
      'README.md:3 has "parked": write "pending".',
      'apps/panel/src/rule.tsx:1 has "Shadow": write "monitor".',
      'apps/panel/src/rule.tsx:2 has "Silenced": write "exception".',
      'libs/errors.ts:1 has "be a text": write "string".',
      'libs/errors.ts:2 has a sentence with more than 2 "of": write two sentences.',
    ]);
  });

  it('accepts names in code, on the wire and in the contract', () => {
    write(
      'README.md',
      'The event guardrails.tool.parked, `silenced_24h`, --park and would_park.\n\n```ts\nparked();\n```\n',
    );
    write(
      'libs/names.ts',
      "// A parked call.\nexport const names = ['parked', 'HITL Bridge', 'rule_id silenced', 'select parked from calls'];\n",
    );
    expect(check()).toEqual([]);
  });
});

describe('the map in ARCHITECTURE.md', () => {
  const named = Array.from(
    pageOf('ARCHITECTURE.md').matchAll(/\]\((?<path>[^)#]+\.ts)\): `(?<name>[\w.]+)`/g),
    ({ groups: { path = '', name = '' } = {} }) => [path, name] as const,
  );

  it('names classes and functions', () => {
    expect(named.length).toBeGreaterThan(40);
  });

  it.each(named)('in %s, %s exists', (path, name) => {
    const [owner = '', method] = name.split('.');
    const parts = readFileSync(join(ROOT, path), 'utf8').split(/^(?=(?:export )?(?:abstract )?class )/m);
    const isDeclared = (pattern: string): boolean =>
      parts.some((part) => new RegExp(pattern, 'm').test(part));
    expect(
      method === undefined
        ? isDeclared(
            `^(?:export )?(?:[a-z]+ )*(?:class|function\\*?|const) ${owner}\\b|^ +(?:[a-z]+ )*${owner}[(<]`,
          )
        : isDeclared(`^(?:export )?(?:abstract )?class ${owner}\\b[^]*^ +(?:[a-z]+ )*\\*?${method}[(<]`),
    ).toBe(true);
  });
});

describe('the documentation', () => {
  const guides = PAGES.filter((name) => name.startsWith('docs/guides/'));
  // The pages that are not committed are made for the site, which checks its own links.
  const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '*.md'], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  const everyPage = [...new Set([...listed.trim().split('\n'), ...PAGES])].filter((name) =>
    existsSync(join(ROOT, name)),
  );

  it.each(guides)('%s has at most 900 words', (name) => {
    expect(wordsOf(pageOf(name))).toBeLessThanOrEqual(900);
  });

  it.each(everyPage)('%s has no broken links', (name) => {
    const page = pageOf(name);
    const links = Array.from(
      page.matchAll(/\]\((?!https?:|\.\.\/\.\.\/(?:security|actions|discussions)\b)([^)#]*)(?:#([^)]*))?\)/g),
    );
    const broken = links.filter(([, path = '', anchor]) => {
      const target = path === '' ? join(ROOT, name) : join(ROOT, dirname(name), path);
      if (!existsSync(target)) return true;
      return anchor !== undefined && !anchorsOf(readFileSync(target, 'utf8')).includes(anchor);
    });
    expect(broken.map(([link]) => link)).toEqual([]);
  });
});
