import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import ts from 'typescript';
import { install, run } from './run.mjs';

const GUIDE = new URL('../../docs/guides/engine.md', import.meta.url);

const USE = `
  process.env.TOKEN_SECRET = 'a secret of the packaging proof, thirty-two bytes';
  import assert from 'node:assert/strict';
  const { SETTING_KEYS } = await import('nest-guardrails/contracts');
  const { SlackApprovals } = await import('nest-guardrails/slack');
  const { GuardrailsClient } = await import('nest-guardrails/client');
  await import('nest-guardrails/testing');
  for (const adapter of ['ai-sdk', 'langchain', 'mcp', 'openai-agents', 'opentelemetry']) await import('nest-guardrails/' + adapter);
  assert.equal(typeof SlackApprovals, 'function');
  assert.equal(typeof GuardrailsClient, 'function');
  assert.ok(SETTING_KEYS.length > 0);

  const { start, support } = await import('./support.mjs');
  const running = await start();
  const [refusal, result, shown] = await support(running);
  await running.stop();
  assert.match(refusal, /cannot be processed/);
  assert.equal(result, '"Paid A-1182 back."');
  assert.equal(shown, 'Mail [email] for &lt;b>help&lt;/b>.');
`;

/** Installs the tarball without peers, loads every entry that needs none, and runs the code of the guide. */
export async function engineAlone(tarball, workshop) {
  const folder = join(workshop, 'alone');
  await mkdir(folder);
  await writeFile(join(folder, 'package.json'), '{ "name": "alone", "private": true, "type": "module" }');
  await install(folder, '--omit=peer', '--legacy-peer-deps', tarball);
  const installed = await readdir(join(folder, 'node_modules'));
  assert.ok(
    !installed.includes('@nestjs') && !installed.includes('typeorm'),
    'a peer dependency was installed',
  );
  await writeFile(join(folder, 'support.mjs'), await codeOfGuide());
  await run(process.execPath, ['--input-type=module', '--eval', USE], folder);
  const help = await run(join(folder, 'node_modules', '.bin', 'nest-guardrails'), ['--help'], folder);
  assert.match(help, /doctor/);
}

async function codeOfGuide() {
  const [, code] = /```ts\n(\/\/ plain\/support\.ts\n[^]*?)```/.exec(await readFile(GUIDE, 'utf8')) ?? [];
  assert.ok(code, 'the guide has no plain/support.ts');
  const compilerOptions = { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022 };
  return ts.transpileModule(code, { compilerOptions }).outputText;
}
