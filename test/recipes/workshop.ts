import { createHash } from 'node:crypto';
import { execFile, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { TestClient } from '../http/support/client.js';
import { applyDiff } from '../support/apply-diff.js';
import { blocksOf, pageOf, ROOT, sectionOf, type Block } from '../support/markdown.js';

const run = promisify(execFile);

export const YOUR_APPLICATION = 'docs/start/nest-application.md';

const COPIED = [
  'libs',
  'src',
  'apps/cli',
  'apps/panel/src/screens/audit/filters.tsx',
  'tools/verify-export.mjs',
  'docs',
  'test/support/detectors',
  'package.json',
  'tsconfig.base.json',
  '.prettierrc.json',
];

/** The packages of the site, and the site if it was built, are not. */
const isSource = (path: string): boolean => !/\/(?:node_modules|\.vitepress)$/.test(path);

/** One project for all sources, as in `nest build`. Hosts resolve `nest-guardrails` through its exports. */
const TSCONFIG = {
  extends: './tsconfig.base.json',
  compilerOptions: {
    composite: false,
    incremental: false,
    rootDir: '.',
    outDir: 'dist',
  },
  include: ['libs/**/*.ts', 'src', 'apps', 'hosts', 'test'],
  exclude: ['apps/panel', 'libs/**/*.spec.ts', 'src/**/*.spec.ts', 'apps/**/*.spec.ts'],
};

/** Changes the text of a block, as a contributor could do by accident. */
export type Mistake = (text: string) => string;

export interface FilesTouched {
  readonly created: number;
  readonly changed: number;
}

interface FollowOptions {
  readonly rootModule?: string;
  readonly isConverted?: boolean;
  readonly isRecipe?: (block: Block) => boolean;
}

/** A copy of the sources in a temporary folder, in which the recipes are performed. */
export class Workshop {
  readonly folder = mkdtempSync(join(tmpdir(), 'guardrails-recipes-'));

  constructor() {
    for (const name of COPIED)
      cpSync(join(ROOT, name), join(this.folder, name), { recursive: true, filter: isSource });
    symlinkSync(join(ROOT, 'node_modules'), join(this.folder, 'node_modules'));
    writeFileSync(join(this.folder, 'tsconfig.json'), JSON.stringify(TSCONFIG));
  }

  /** Creates a host from the code of the page on your application. */
  createHost(name: string): void {
    const block = blocksOf(pageOf(YOUR_APPLICATION)).find(({ path }) => path === 'app.module.ts');
    if (block === undefined) throw new Error(`${YOUR_APPLICATION} has no app.module.ts`);
    this.write(this.placeOf(name, 'app.module.ts'), block.text);
  }

  /** Copies the application of the quick start. The panel is not built in the workshop. */
  copyExample(name: string): void {
    cpSync(join(ROOT, 'examples/nest-minimal/src'), join(this.folderOf(name), 'src'), {
      recursive: true,
    });
    const module = this.placeOf(name, 'src/guardrails.module.ts');
    this.write(module, this.read(module).replace('enabled: Boolean(key)', 'enabled: false'));
  }

  /**
   * Applies the blocks of a recipe in a new host and counts the touched files. `mistake` changes the text of the blocks.
   */
  perform(recipe: string, name: string, mistake: Mistake = (text) => text): FilesTouched {
    this.createHost(name);
    const before = this.fingerprints();
    for (const block of blocksOf(sectionOf(pageOf('docs/contributing/recipes.md'), `## ${recipe}`))) {
      this.performBlock({ ...block, text: mistake(block.text) }, name);
    }
    const after = this.fingerprints();
    const files = [...after.keys()];
    return {
      created: files.filter((file) => !before.has(file)).length,
      changed: files.filter((file) => before.has(file) && before.get(file) !== after.get(file)).length,
    };
  }

  /**
   * Writes the code of a guide, or of those of its blocks that `isRecipe` selects, into a new host, and applies its diffs
   * if `isConverted`. Returns the added lines.
   */
  followGuide(page: string, name: string, options: FollowOptions = {}): number {
    const { rootModule = '', isConverted = true, isRecipe = () => true } = options;
    if (rootModule !== '') this.write(this.placeOf(name, 'app.module.ts'), rootModule);
    const blocks = blocksOf(pageOf(page)).filter(isRecipe);
    const diffs = blocks.filter(({ language }) => language === 'diff');
    for (const block of blocks.filter(({ language }) => language === 'ts')) this.performBlock(block, name);
    if (isConverted) for (const block of diffs) this.performBlock(block, name);
    return diffs.flatMap(({ text }) => text.match(/^\+/gm) ?? []).length;
  }

  async compile(...options: readonly string[]): Promise<void> {
    await this.node([join(ROOT, 'node_modules/typescript/bin/tsc'), '--project', this.folder, ...options]);
  }

  /** Runs a script and returns its standard output. The error of a failed script contains its output. */
  async node(args: readonly string[], environment: Readonly<Record<string, string>> = {}): Promise<string> {
    try {
      const env = { ...process.env, TMPDIR: this.folder, ...environment };
      return (await run(process.execPath, args, { cwd: this.folder, env, maxBuffer: 1 << 24 })).stdout;
    } catch (error) {
      const { stdout = '', stderr = '' } = error as { readonly stdout?: string; readonly stderr?: string };
      throw new Error(`${args[0]} failed:\n${stdout}${stderr}`, { cause: error });
    }
  }

  /** The folder in which a host starts. */
  folderOf(name: string): string {
    return join(this.folder, 'hosts', name);
  }

  /** Starts a compiled host in a separate process, in the folder of the host. */
  async start(name: string, environment: Readonly<Record<string, string>>): Promise<RunningHost> {
    const script = fileURLToPath(new URL('start-host.mjs', import.meta.url));
    const child = fork(script, [join(this.folder, 'dist/hosts', name, 'app.module.js')], {
      cwd: this.folderOf(name),
      env: { ...process.env, ...environment },
      execArgv: [],
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    let output = '';
    child.stderr?.on('data', (chunk: Buffer) => (output += chunk.toString()));
    const exited = once(child, 'exit');
    const started = await Promise.race([once(child, 'message'), exited.then(() => null)]);
    if (started === null) throw new Error(`the host ${name} did not start:\n${output}`);
    return new RunningHost(String(started[0]), async () => {
      if (child.connected) child.disconnect();
      await exited;
    });
  }

  /** Runs the compiled main.js of a host. `line` waits for an output, and gives the first group of the pattern. */
  startProgram(name: string, environment: Readonly<Record<string, string>>): RunningProgram {
    const child = spawn(process.execPath, [join(this.folder, 'dist/hosts', name, 'main.js')], {
      cwd: this.folderOf(name),
      env: { ...process.env, NO_COLOR: '1', ...environment },
    });
    const exited = once(child, 'exit');
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
    return {
      async line(pattern) {
        for (;;) {
          const found = pattern.exec(output)?.[1];
          if (found !== undefined) return found;
          const next = await Promise.race([once(child.stdout, 'data'), exited.then(() => null)]);
          if (next === null) throw new Error(`${name} ended:\n${output}`);
        }
      },
      async stop() {
        child.kill();
        await exited;
      },
    };
  }

  outputOf(path: string): string {
    return join(this.folder, 'dist', path);
  }

  read(path: string): string {
    return readFileSync(join(this.folder, path), 'utf8');
  }

  close(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }

  private performBlock({ language, path, text }: Block, host: string): void {
    if (path === null) return;
    const place = this.placeOf(host, path);
    if (language === 'diff') this.write(place, applyDiff(text, this.read(place)));
    else if (existsSync(join(this.folder, place))) throw new Error(`${path} exists already`);
    else this.write(place, text);
  }

  /** Paths below these folders are in the repository, all others in the host. */
  private placeOf(host: string, path: string): string {
    return /^(?:libs|test|apps|tools)\//.test(path) ? path : join('hosts', host, path);
  }

  private write(path: string, text: string): void {
    mkdirSync(dirname(join(this.folder, path)), { recursive: true });
    writeFileSync(join(this.folder, path), text);
  }

  private fingerprints(): ReadonlyMap<string, string> {
    return new Map(
      ['libs', 'src', 'apps', 'tools', 'hosts', 'test'].flatMap((folder) =>
        readdirSync(join(this.folder, folder), { recursive: true, withFileTypes: true })
          .filter((entry) => entry.isFile())
          .map((entry) => {
            const path = join(entry.parentPath, entry.name);
            return [path, createHash('sha256').update(readFileSync(path)).digest('hex')] as const;
          }),
      ),
    );
  }
}

export interface RunningProgram {
  line(pattern: RegExp): Promise<string>;
  stop(): Promise<void>;
}

/** A host in another process, with a client for its API. */
export class RunningHost extends TestClient {
  constructor(
    origin: string,
    readonly stop: () => Promise<void>,
  ) {
    super(origin);
  }
}
