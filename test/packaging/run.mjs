import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const execute = promisify(execFile);

/** Runs a program and returns its output. The error of a failed program contains its output. */
export async function run(program, parameters, folder) {
  try {
    const { stdout } = await execute(program, parameters, { cwd: folder, maxBuffer: 64 * 1024 * 1024 });
    return stdout;
  } catch (error) {
    throw new Error(
      `${program} ${parameters.join(' ')}\n${error.stdout ?? ''}${error.stderr ?? error.message}`,
      { cause: error },
    );
  }
}

/** Quick, and the same on every machine: no scripts of strangers, no advice. */
export function install(folder, ...parameters) {
  const quiet = ['--no-audit', '--no-fund', '--ignore-scripts', '--prefer-offline', '--no-package-lock'];
  return run('npm', ['install', ...quiet, ...parameters], folder);
}
