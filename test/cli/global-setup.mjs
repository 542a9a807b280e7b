import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import startPostgres from '../postgres/global-setup.mjs';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Builds the command line once for all specs. */
export default async function globalSetup() {
  execFileSync(process.execPath, ['node_modules/typescript/bin/tsc', '-b', 'apps/cli'], {
    cwd: ROOT,
    stdio: 'inherit',
  });
  await startPostgres();
}
