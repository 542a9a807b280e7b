import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const execute = promisify(execFile);

/** Runs a program and returns its standard output. The error of a failed program contains its output. */
export async function run(program, parameters, folder, variables = {}) {
  try {
    const { stdout } = await execute(program, parameters, {
      cwd: folder,
      env: { ...process.env, ...variables },
      maxBuffer: 64 * 1024 * 1024,
    });
    return stdout;
  } catch (error) {
    throw new Error(
      `${program} ${parameters.join(' ')}\n${error.stdout ?? ''}${error.stderr ?? error.message}`,
      { cause: error },
    );
  }
}

/** Installs without install scripts, audit and lockfile. */
export function install(folder, ...parameters) {
  const quiet = ['--no-audit', '--no-fund', '--ignore-scripts', '--prefer-offline', '--no-package-lock'];
  return run('npm', ['install', ...quiet, ...parameters], folder);
}
