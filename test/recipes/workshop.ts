import { createHash } from 'node:crypto';
import { execFile, fork } from 'node:child_process';
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

const COPIED = [
  'libs',
  'src',
  'apps/cli',
  'docs',
  'test/support/detectors',
  'package.json',
  'tsconfig.base.json',
  '.prettierrc.json',
];

/** Everything at once, as `nest build` would in one project; a host finds `nest-guardrails` by its exports. */
const TSCONFIG = {
  extends: './tsconfig.base.json',
  compilerOptions: {
    composite: false,
    incremental: false,
    declaration: false,
    declarationMap: false,
    sourceMap: false,
    rootDir: '.',
    outDir: 'dist',
  },
  include: ['libs/**/*.ts', 'src', 'apps', 'hosts', 'test'],
  exclude: ['libs/**/*.spec.ts', 'src/**/*.spec.ts', 'apps/**/*.spec.ts'],
};

export interface FilesTouched {
  readonly created: number;
  readonly changed: number;
}

/** A copy of the sources in a temp folder, in which recipes are performed as CONTRIBUTING tells them. */
export class Workshop {
  readonly folder = mkdtempSync(join(tmpdir(), 'guardrails-recipes-'));

  constructor() {
    for (const name of COPIED) cpSync(join(ROOT, name), join(this.folder, name), { recursive: true });
    symlinkSync(join(ROOT, 'node_modules'), join(this.folder, 'node_modules'));
    writeFileSync(join(this.folder, 'tsconfig.json'), JSON.stringify(TSCONFIG));
  }

  /** A host of its own, as the README writes it. */
  createHost(name: string): void {
    const block = blocksOf(pageOf('README.md')).find(({ path }) => path === 'app.module.ts');
    if (block === undefined) throw new Error('the README has no app.module.ts');
    this.write(this.placeOf(name, 'app.module.ts'), block.text);
  }

  /** Does what the blocks of a recipe say, in a host of its own, and counts the files that it touched. */
  perform(recipe: string, name: string): FilesTouched {
    this.createHost(name);
    const before = this.fingerprints();
    for (const block of blocksOf(sectionOf(pageOf('CONTRIBUTING.md'), `### ${recipe}`))) {
      this.performBlock(block, name);
    }
    const after = this.fingerprints();
    const files = [...after.keys()];
    return {
      created: files.filter((file) => !before.has(file)).length,
      changed: files.filter((file) => before.has(file) && before.get(file) !== after.get(file)).length,
    };
  }

  async compile(): Promise<void> {
    await this.node([join(ROOT, 'node_modules/typescript/bin/tsc'), '--project', this.folder]);
  }

  /** Runs a script to its end; one that fails rejects with all that it said. */
  async node(args: readonly string[]): Promise<string> {
    try {
      const env = { ...process.env, TMPDIR: this.folder };
      return (await run(process.execPath, args, { cwd: this.folder, env, maxBuffer: 1 << 24 })).stdout;
    } catch (error) {
      const { stdout = '', stderr = '' } = error as { readonly stdout?: string; readonly stderr?: string };
      throw new Error(`${args[0]} failed:\n${stdout}${stderr}`, { cause: error });
    }
  }

  /** Boots a host that was compiled, in a process of its own and in its own folder. */
  async start(name: string, environment: Readonly<Record<string, string>>): Promise<RunningHost> {
    const script = fileURLToPath(new URL('start-host.mjs', import.meta.url));
    const child = fork(script, [join(this.folder, 'dist/hosts', name, 'app.module.js')], {
      cwd: join(this.folder, 'hosts', name),
      env: { ...process.env, ...environment },
      execArgv: [],
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    let said = '';
    child.stderr?.on('data', (chunk: Buffer) => (said += chunk.toString()));
    const exited = once(child, 'exit');
    const started = await Promise.race([once(child, 'message'), exited.then(() => null)]);
    if (started === null) throw new Error(`the host ${name} did not start:\n${said}`);
    return new RunningHost(String(started[0]), async () => {
      if (child.connected) child.disconnect();
      await exited;
    });
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
    else if (existsSync(join(this.folder, place))) throw new Error(`${path} is there already`);
    else this.write(place, text);
  }

  /** Paths of this repository are as they are; every other one is in the host. */
  private placeOf(host: string, path: string): string {
    return /^(?:libs|test)\//.test(path) ? path : join('hosts', host, path);
  }

  private write(path: string, text: string): void {
    mkdirSync(dirname(join(this.folder, path)), { recursive: true });
    writeFileSync(join(this.folder, path), text);
  }

  private fingerprints(): ReadonlyMap<string, string> {
    return new Map(
      ['libs', 'src', 'hosts', 'test'].flatMap((folder) =>
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

/** A host in another process, with a client that speaks to it. */
export class RunningHost extends TestClient {
  constructor(
    origin: string,
    readonly stop: () => Promise<void>,
  ) {
    super(origin);
  }
}
