import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

/**
 * Outlives the test run, to stop its PostgreSQL and remove its folder. Its stdin is a pipe that the run holds open:
 * the pipe ends when the run says so, and also when it was killed.
 */
const [, , folder] = process.argv;
const pidFile = join(folder, 'data', 'postmaster.pid');
process.stdin.resume();
process.stdin.once('end', () => void reap());

async function reap() {
  const server = serverId();
  if (server !== undefined && signal(server, 'SIGINT')) {
    const deadline = Date.now() + 5_000;
    // Its process id may stay as a zombie where nobody collects orphans; its file goes last.
    while (existsSync(pidFile) && Date.now() < deadline) await wait(20);
    if (existsSync(pidFile)) signal(server, 'SIGKILL');
  }
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}

function serverId() {
  try {
    return Number(readFileSync(pidFile, 'utf8').split('\n')[0]);
  } catch {
    return undefined;
  }
}

function signal(processId, name) {
  try {
    return process.kill(processId, name);
  } catch {
    return false;
  }
}
