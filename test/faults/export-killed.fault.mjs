import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { until } from './time-limits.mjs';
import { query } from './fault-environment.mjs';

const HOST = fileURLToPath(new URL('./export-host.mjs', import.meta.url));
const CLI = fileURLToPath(new URL('../../dist/apps/cli/src/main.js', import.meta.url));
const ENTRIES = 60_000;
const PART_ROWS = 10_000;

/** A database with `ENTRIES` copies of one entry. */
async function filled(environment) {
  const url = await environment.database();
  const engine = await environment.engine(url);
  await engine.guardrails.screen('Where is my parcel?', { principalId: 'customer-42' });
  const columns = await query(
    url,
    `select string_agg(column_name, ', ') as names from information_schema.columns
     where table_name = 'guardrails_audit_evidence' and column_name <> 'id'`,
  );
  const [{ names }] = columns;
  await query(
    url,
    `with copied as (
       insert into guardrails_audit_evidence (${names})
       select ${names} from guardrails_audit_evidence, generate_series(2, ${ENTRIES}) returning id)
     insert into guardrails_audit_content (evidence_id, storage, prompt, salt)
     select copied.id, c.storage, c.prompt, c.salt from copied, guardrails_audit_content c`,
  );
  await query(url, `update guardrails_audit_id_ranges set max_id = ${ENTRIES}`);
  return url;
}

async function host(environment, url, port = 0) {
  const child = environment.child({ url, port }, HOST);
  return { child, port: await child.nextAnswer() };
}

function folder(environment) {
  const path = mkdtempSync(join(tmpdir(), 'export-'));
  environment.onEnd(() => rmSync(path, { recursive: true }));
  return path;
}

function exporting(environment, port, out) {
  const words = ['audit', 'export', '--out', out, '--part-rows', String(PART_ROWS), '--with-content'];
  const env = { PATH: process.env.PATH, GUARDRAILS_API_URL: `http://127.0.0.1:${port}/guardrails/api` };
  const child = spawn(process.execPath, [CLI, ...words], { env, stdio: ['ignore', 'ignore', 'pipe'] });
  const ended = once(child, 'exit');
  environment.onEnd(() => child.kill('SIGKILL'));
  return { child, ended };
}

function partsOf(out) {
  try {
    return JSON.parse(readFileSync(join(out, 'manifest.json'), 'utf8')).parts;
  } catch {
    return [];
  }
}

/** A part is complete, and the next one is being written. */
const isHalfway = (out) =>
  partsOf(out).length > 0 && statSync(join(out, 'unfinished.gz'), { throwIfNoEntry: false })?.size > 0;

function assertWhole(out) {
  const lines = partsOf(out).flatMap(({ file }) =>
    gunzipSync(readFileSync(join(out, file)))
      .toString()
      .trimEnd()
      .split('\n'),
  );
  const ids = lines.map((line) => JSON.parse(line).id);
  assert.equal(ids.length, ENTRIES);
  assert.ok(ids.every((id, index) => id === index + 1));
}

export const faults = {
  async 'the command is killed: its next run keeps complete parts, and has every entry once'(environment) {
    const { port } = await host(environment, await filled(environment));
    const out = folder(environment);
    const killed = exporting(environment, port, out);
    await until(() => isHalfway(out), 'a part is complete and the next one has begun');
    killed.child.kill('SIGKILL');
    await killed.ended;
    const complete = partsOf(out);
    assert.ok(complete.length < ENTRIES / PART_ROWS, 'the export was over before it was killed');
    const [code] = await exporting(environment, port, out).ended;
    assert.equal(code, 0);
    assert.deepEqual(partsOf(out).slice(0, complete.length), complete);
    assertWhole(out);
  },

  async 'the host is killed: the command fails, and its next run on another host completes the export'(
    environment,
  ) {
    const url = await filled(environment);
    const first = await host(environment, url);
    const out = folder(environment);
    const failed = exporting(environment, first.port, out);
    await until(() => isHalfway(out), 'a part is complete and the next one has begun');
    await first.child.kill('SIGKILL');
    const [code] = await failed.ended;
    assert.equal(code, 3);
    const second = await host(environment, url);
    const [next] = await exporting(environment, second.port, out).ended;
    assert.equal(next, 0);
    assertWhole(out);
    const recorded = await query(
      url,
      `select distinct actor_id as actor from guardrails_setting_changes where "key" = 'audit.export'`,
    );
    assert.deepEqual(recorded, [{ actor: 'ops-1' }]);
  },
};
