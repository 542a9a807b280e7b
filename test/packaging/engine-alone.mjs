import assert from 'node:assert/strict';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { install, run } from './run.mjs';

const USE = `
  const { createEngine } = await import('nest-guardrails/engine');
  const { SETTING_KEYS } = await import('nest-guardrails/contracts');
  const { SlackApprovals } = await import('nest-guardrails/slack');
  const { GuardrailsClient } = await import('nest-guardrails/client');
  await import('nest-guardrails/testing');
  await import('nest-guardrails/ai-sdk');
  if (typeof createEngine !== 'function' || typeof SlackApprovals !== 'function' || typeof GuardrailsClient !== 'function' || SETTING_KEYS.length === 0) throw new Error('the exports are empty');
`;

/** Installs the tarball without peers and loads every entry that needs none. */
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
  await run(process.execPath, ['--input-type=module', '--eval', USE], folder);
  const help = await run(join(folder, 'node_modules', '.bin', 'nest-guardrails'), ['--help'], folder);
  assert.match(help, /doctor/);
}
