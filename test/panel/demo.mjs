import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const MAIN = fileURLToPath(new URL('../../dist/apps/demo/src/main.js', import.meta.url));

/** The cases leave more calls open than one customer may have by default. */
const MANY_CALLS = { GUARDRAILS_HITL_MAX_OPEN_PER_PRINCIPAL: '200' };

/** Starts the built demo with a new data folder; with a `databaseUrl`, on that PostgreSQL. */
export async function startDemo({ databaseUrl = '' } = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'guardrails-panel-'));
  const child = spawn(process.execPath, [MAIN], {
    env: { ...process.env, ...MANY_CALLS, PORT: '0', DATA_DIR: folder, DATABASE_URL: databaseUrl },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  let output = '';
  const url = await new Promise((resolve, reject) => {
    child.stdout.on('data', (chunk) => {
      output += chunk;
      const [found] = /http:\/\/127\.0\.0\.1:\d+/.exec(output) ?? [];
      if (found !== undefined && output.includes('Press Ctrl-C')) resolve(found);
    });
    void exited.then(([code]) => reject(new Error(`The demo exited with code ${code}.\n${output}`)));
  });
  const credentials = JSON.parse(readFileSync(join(folder, 'private', 'credentials.json'), 'utf8'));
  return {
    url,
    output,
    credentials,
    async stop() {
      child.kill('SIGTERM');
      await exited;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
