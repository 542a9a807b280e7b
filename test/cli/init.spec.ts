import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { EXAMPLE_POLICIES } from '#contracts/index.js';
import { bench, refundTool } from '../support/engine.js';
import { ROOT } from '../support/markdown.js';
import { stockNestApp } from '../support/stock-nest-app.mjs';
import { startCli, type CliResult } from './built-cli.js';

const EXAMPLE = join(ROOT, 'examples/nest-minimal');

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'init-'));
});

afterEach(() => rmSync(folder, { recursive: true }));

function write(texts: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(texts)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}

const init = (...words: string[]): Promise<CliResult> => startCli(['init', ...words], {}, '', folder).result;

/** Every file below the folder, by its path. */
function files(): Readonly<Record<string, string>> {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8', withFileTypes: true });
  return Object.fromEntries(
    paths
      .filter((each) => each.isFile())
      .map((each) => join(each.parentPath, each.name))
      .map((path) => [path.slice(folder.length + 1), readFileSync(path, 'utf8')]),
  );
}

describe('nest-guardrails init', () => {
  it('writes the module, its import and a key into the application of `nest new`, as in examples/nest-minimal', async () => {
    write(stockNestApp(12));
    const { code, stdout } = await init();
    expect(code).toBe(0);
    expect(stdout).toMatch(/Writing src\/app\.module\.ts\.\n.*Add \.env to \.gitignore/);
    expect(stdout).toContain('Next: npm install class-validator class-transformer, start the application');
    for (const name of ['app.module.ts', 'guardrails.module.ts', 'main.ts', 'app.service.ts'])
      expect(files()[`src/${name}`]).toBe(readFileSync(join(EXAMPLE, 'src', name), 'utf8'));
    expect(files()['.env']).toMatch(/^OPS_KEY=[0-9a-f]{64}\n$/);
    expect(statSync(join(folder, '.env')).mode & 0o777).toBe(0o600);
  });

  it('writes, as comments, example policies that only record', async () => {
    write(stockNestApp(12));
    await init();
    const text = files()['src/guardrails.module.ts'] ?? '';
    expect(text).toContain("// import { EXAMPLE_POLICIES } from 'nest-guardrails/contracts';");
    const [, settings = ''] = /^ {2}\/\/ settings: (.*),$/m.exec(text) ?? [];
    // oxlint-disable-next-line typescript/no-implied-eval
    const read = new Function('EXAMPLE_POLICIES', `return ${settings}`) as (examples: object) => object;
    const { engine, stores, log } = await bench({ ...read(EXAMPLE_POLICIES) });
    const pay = refundTool({ name: 'pay', parameters: { properties: { iban: {}, amount: {} } } });
    await engine.guardrails.guardTool(pay, { runId: 'run-1' }).execute({ iban: 'DE02', amount: 1 });
    expect(pay.calls).toHaveLength(1);
    expect(log.decisions).toContain('guardrails.tool.would_park');
    expect((await stores.approvals.pending({ limit: 1 })).entries).toEqual([]);
    await engine.stop();
  });

  it('changes nothing the second time', async () => {
    write(stockNestApp(12));
    await init();
    const before = files();
    const { code, stdout } = await init();
    expect(code).toBe(0);
    expect(stdout).toContain('Nothing was changed.');
    expect(files()).toEqual(before);
  });

  it('does not ask for packages that the application has', async () => {
    write({ ...stockNestApp(12), 'package.json': '{ "dependencies": { "class-validator": "^0.15.1" } }' });
    expect((await init()).stdout).toContain('Next: start the application, and open /guardrails/panel');
  });

  it('imports without an extension in CommonJS, as the application does', async () => {
    write(stockNestApp(11));
    expect((await init()).code).toBe(0);
    expect(files()['src/app.module.ts']).toContain("import { guardrails } from './guardrails.module';\n");
  });

  it('prints the changed lines with --dry-run, and writes nothing', async () => {
    const stock = { ...stockNestApp(11), '.env': 'DATABASE_PASSWORD=hunter2secret' };
    write(stock);
    const { code, stdout } = await init('--dry-run');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^\.env\n\+OPS_KEY=\(random\)$/m);
    expect(stdout).toMatch(
      /^src\/app\.module\.ts\n- {2}imports: \[\],\n\+import .*\n\+ {2}imports: \[guardrails\],$/m,
    );
    expect(stdout).not.toContain('hunter2secret');
    expect(files()).toEqual(stock);
  });

  it('appends the key to .env, and keeps a key that is there', async () => {
    write({ ...stockNestApp(11), '.env': 'PORT=3001' });
    await init();
    expect(files()['.env']).toMatch(/^PORT=3001\nOPS_KEY=[0-9a-f]{64}\n$/);
    write({ ...stockNestApp(11), '.env': 'OPS_KEY=mine\nPORT=3001' });
    await init();
    expect(files()['.env']).toBe('OPS_KEY=mine\nPORT=3001');
  });

  it.each([
    [
      'a list over several lines',
      'imports: [\n    ConfigModule.forRoot(),\n  ],',
      '  imports: [\n    guardrails,\n    ConfigModule',
    ],
    ['a list on one line', 'imports: [Orders],', 'imports: [guardrails, Orders],'],
    ['a list after others', 'controllers: [A, B],\n  imports: [Orders],', 'imports: [guardrails, Orders],'],
    [
      'a list that contains another one',
      'imports: [TypeOrmModule.forRootAsync({ imports: [Orders] })],',
      'imports: [guardrails, TypeOrmModule.forRootAsync({ imports: [Orders] })]',
    ],
  ])('extends %s', async (_, list, expected) => {
    write({ 'src/app.module.ts': `@Module({\n  ${list}\n})\nexport class AppModule {}\n` });
    expect((await init()).code).toBe(0);
    expect(files()['src/app.module.ts']).toContain(expected);
  });

  it.each([
    ['has no list', '@Module({ controllers: [] })\nexport class AppModule {}\n'],
    ['has its list in a variable', '@Module({ imports })\nexport class AppModule {}\n'],
    ['has two modules', '@Module({ imports: [] })\nclass One {}\n@Module({ imports: [] })\nclass Two {}\n'],
    ['has its list in a comment', '@Module({\n  // imports: [],\n})\nexport class AppModule {}\n'],
    [
      'imports guardrails already',
      '@Module({ imports: [GuardrailsApiModule.forRoot()] })\nclass AppModule {}\n',
    ],
    ['is missing', null],
  ])('prints the two lines and writes nothing if src/app.module.ts %s', async (_, text) => {
    if (text !== null) write({ 'src/app.module.ts': text });
    const before = files();
    const { code, stderr } = await init();
    expect(code).toBe(1);
    expect(stderr).toContain(
      "\n  import { guardrails } from './guardrails.module';\n  imports: [guardrails],\n",
    );
    expect(files()).toEqual(before);
  });
});
