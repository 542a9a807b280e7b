import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

/**
 * Outlives the test run, to stop its servers and remove their folder. Its stdin is a pipe that the run holds open:
 * the pipe ends when the run says so, and also when it was killed. `stops` are `file=SIGNAL`: the file in the folder
 * whose first line is a process id and which its process removes, and what asks that process to end at once.
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
