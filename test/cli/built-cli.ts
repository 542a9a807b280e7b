import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { onServer } from '../postgres/database.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const MAIN = `${ROOT}dist/apps/cli/src/main.js`;

/** Must differ from the other advisory locks of the tests. */
const BUILD_LOCK = 7_305_117;

export interface CliResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Builds `dist`. A lock serializes the workers. */
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

/** Runs the built command in a process that inherits no environment variables except PATH. */
export function cli(words: readonly string[], environment: NodeJS.ProcessEnv = {}): Promise<CliResult> {
  return startCli(words, environment).result;
}

export interface Running {
  readonly result: Promise<CliResult>;
  /** Resolves when the output contains the text. */
  printed(text: string): Promise<void>;
  /** Sends SIGKILL. */
  kill(): void;
}

export function startCli(words: readonly string[], environment: NodeJS.ProcessEnv = {}, input = ''): Running {
  const env = { PATH: process.env['PATH'], ...environment };
  const child = spawn(process.execPath, [MAIN, ...words], { env, cwd: '/' });
  const output = { stdout: '', stderr: '' };
  const printed = async (text: string): Promise<void> => {
    while (!output.stdout.includes(text)) await once(child.stdout, 'data');
  };
  for (const stream of ['stdout', 'stderr'] as const)
    child[stream].setEncoding('utf8').on('data', (chunk: string) => (output[stream] += chunk));
  child.stdin.on('error', () => undefined).end(input);
  const result = new Promise<CliResult>((resolve) => {
    child.once('close', (code) => resolve({ code: code ?? -1, ...output }));
  });
  return { result, printed, kill: () => void child.kill('SIGKILL') };
}
