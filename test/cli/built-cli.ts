import { execFile, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { onServer } from '../postgres/database.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const MAIN = `${ROOT}dist/apps/cli/src/main.js`;

/** Any number will do that no other lock of the tests takes. */
const BUILD_LOCK = 7_305_117;

export interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Brings `dist` up to date, one worker at a time. */
export async function buildCli(): Promise<void> {
  await onServer(async (server) => {
    await server.query('select pg_advisory_lock($1)', [BUILD_LOCK]);
    await promisify(execFile)(
      process.execPath,
      [`${ROOT}node_modules/typescript/bin/tsc`, '-b', 'apps/cli'],
      {
        cwd: ROOT,
      },
    );
  });
}

/** The command as it is installed, in a process of its own that inherits no setting and no database of ours. */
export function cli(words: readonly string[], environment: NodeJS.ProcessEnv = {}): Promise<Ended> {
  return startCli(words, environment).ended;
}

export interface Running {
  readonly ended: Promise<Ended>;
  /** Without a chance to tidy up. */
  kill(): void;
}

export function startCli(words: readonly string[], environment: NodeJS.ProcessEnv = {}, input = ''): Running {
  const env = { PATH: process.env['PATH'], ...environment };
  const child = spawn(process.execPath, [MAIN, ...words], { env, cwd: '/' });
  const said = { stdout: '', stderr: '' };
  for (const stream of ['stdout', 'stderr'] as const)
    child[stream].setEncoding('utf8').on('data', (chunk: string) => (said[stream] += chunk));
  child.stdin.on('error', () => undefined).end(input);
  const ended = new Promise<Ended>((resolve) => {
    child.once('close', (code) => resolve({ code: code ?? -1, ...said }));
  });
  return { ended, kill: () => void child.kill('SIGKILL') };
}
