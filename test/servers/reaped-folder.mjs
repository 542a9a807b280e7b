import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * A temporary folder that is removed when the run ends or is killed, after the servers in it were stopped. `stops` are the
 * arguments of the reaper.
 */
export function reapedFolder(name, stops, parent = tmpdir()) {
  const path = mkdtempSync(join(parent, `guardrails-${name}-`));
  chmodSync(path, 0o755);
  const reaper = spawn(
    process.execPath,
    [fileURLToPath(new URL('./reaper.mjs', import.meta.url)), path, ...stops],
    { detached: true, cwd: '/', stdio: ['pipe', 'ignore', 'ignore'] },
  );
  reaper.unref();
  reaper.stdin.unref?.();
  return {
    path,
    async reap() {
      reaper.ref();
      const gone = once(reaper, 'exit');
      reaper.stdin.end();
      await gone;
    },
  };
}
