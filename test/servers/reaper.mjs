import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

/**
 * Stops the servers of a test run and removes their folder after the run. Its stdin is a pipe that the run holds open;
 * the pipe closes when the run ends or is killed. Each of `stops` is `file=SIGNAL`: a file in the folder that contains a
 * process id in its first line and that its process removes, and the signal that ends the process.
 */
const [, , folder, ...stops] = process.argv;
process.stdin.resume();
process.stdin.once('end', () => void reap());

async function reap() {
  for (const stop of stops) {
    const [file, name] = stop.split('=');
    await end(join(folder, file), name);
  }
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}

async function end(pidFile, name) {
  const server = serverId(pidFile);
  if (server === undefined || !signal(server, name)) return;
  const deadline = Date.now() + 5_000;
  // The process may remain as a zombie; the server deletes its file last.
  while (existsSync(pidFile) && Date.now() < deadline) await wait(20);
  if (existsSync(pidFile)) signal(server, 'SIGKILL');
}

function serverId(pidFile) {
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
