import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const MAIN = `${ROOT}dist/apps/cli/src/main.js`;

export interface CliResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
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

export function startCli(
  words: readonly string[],
  environment: NodeJS.ProcessEnv = {},
  input = '',
  cwd = '/',
): Running {
  const env = { PATH: process.env['PATH'], ...environment };
  const child = spawn(process.execPath, [MAIN, ...words], { env, cwd });
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
