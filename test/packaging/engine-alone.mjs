import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import ts from 'typescript';
import { WITHOUT_PACKAGES } from './parts.mjs';
import { install, run } from './run.mjs';

const MAX_MEGABYTES = 10;
const GUIDE = new URL('../../docs/guides/engine.md', import.meta.url);

const USE = `
  process.env.TOKEN_SECRET = 'a secret of the packaging proof, thirty-two bytes';
  import assert from 'node:assert/strict';
  const { DEFAULT_SETTINGS } = await import('nest-guardrails/contracts');
  const { SlackApprovals } = await import('nest-guardrails/slack');
  const { GuardrailsClient } = await import('nest-guardrails/client');
  await import('nest-guardrails/testing');
  for (const adapter of ['ai-sdk', 'langchain', 'mcp', 'openai-agents', 'opentelemetry']) await import('nest-guardrails/' + adapter);
  assert.equal(typeof SlackApprovals, 'function');
  assert.equal(typeof GuardrailsClient, 'function');
  assert.ok(Object.keys(DEFAULT_SETTINGS).length > 0);

  const { start, support } = await import('./support.mjs');
  const running = await start();
  const [refusal, result, shown] = await support(running);
  await running.stop();
  assert.match(refusal, /cannot be processed/);
  assert.equal(result, '"Paid A-1182 back."');
  assert.equal(shown, 'Mail [email] for <b>help</b>.');
`;

/**
 * Installs the tarball without peers, loads every entry that needs none, runs the code of the guide, and asks for the parts
 * whose packages are missing.
 */
export async function engineAlone(tarball, workshop) {
  const folder = join(workshop, 'alone');
  await mkdir(folder);
  await writeFile(join(folder, 'package.json'), '{ "name": "alone", "private": true, "type": "module" }');
  await install(folder, '--omit=peer', '--omit=optional', tarball);
  const installed = await readdir(join(folder, 'node_modules'));
  assert.ok(
    !installed.includes('@nestjs') && !installed.includes('typeorm'),
    'a peer dependency was installed',
  );
  const megabytes = (await sizeOf(join(folder, 'node_modules'))) / 1e6;
  assert.ok(megabytes <= MAX_MEGABYTES, `the installation has ${megabytes} MB`);
  await writeFile(join(folder, 'support.mjs'), await codeOfGuide());
  await run(process.execPath, ['--input-type=module', '--eval', USE], folder);
  assert.equal(
    (await run(process.execPath, ['--input-type=module', '--eval', WITHOUT_PACKAGES], folder)).trim(),
    'went on',
  );
  const help = await run(join(folder, 'node_modules', '.bin', 'nest-guardrails'), ['--help'], folder);
  assert.match(help, /doctor/);
}

async function codeOfGuide() {
  const [, code] = /```ts\n(\/\/ plain\/support\.ts\n[^]*?)```/.exec(await readFile(GUIDE, 'utf8')) ?? [];
  assert.ok(code, 'the guide has no plain/support.ts');
  const compilerOptions = { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022 };
  return ts.transpileModule(code, { compilerOptions }).outputText;
}

async function sizeOf(folder) {
  const files = (await readdir(folder, { recursive: true, withFileTypes: true })).filter((entry) =>
    entry.isFile(),
  );
  const sizes = await Promise.all(
    files.map(async (file) => (await stat(join(file.parentPath, file.name))).size),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}
