// Follows the page of the quick start literally in an empty folder, compares the result with the folder
// examples/nest-minimal, and what is printed with the page. The README has the same blocks (test/structure/readme.spec.ts).
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort } from '../servers/free-port.mjs';
import { applied } from '../support/stock-nest-app.mjs';
import { run } from './run.mjs';

const PAGE = new URL('../../docs/start/quick-start.md', import.meta.url);
const EXAMPLE = new URL('../../examples/nest-minimal/src/', import.meta.url);
const NEWEST_CLI = '12.0.8';
const MAX_LINES = 25;

/** `cli`: the version of the command that makes the application. The folder is made by the newest one. */
export async function quickStart(cli, tarball, workshop) {
  const page = await readFile(PAGE, 'utf8');
  const blocks = [...page.matchAll(/```(\w+)\n(.*?)```/gs)].map(([, language, text]) => ({
    language,
    text,
  }));
  assert.deepEqual(
    blocks.map(({ language }) => language),
    ['sh', 'diff', 'diff', 'sh', 'sh', 'json', 'ts'],
  );
  const [install, handler, spec, start, ask, answers] = blocks.map(({ text }) => text);
  const lines = (install + handler + spec + start + ask).split('\n').filter((line) => line.trim() !== '');
  assert.ok(lines.length <= MAX_LINES, `the quick start has ${lines.length} lines`);

  const empty = join(workshop, `quick-start-${cli}`);
  await mkdir(empty);
  const commands = install.replace('@nestjs/cli', `@nestjs/cli@${cli}`).replace('nest-guardrails', tarball);
  await run('bash', ['-euc', commands], empty, { npm_config_yes: 'true' });
  const folder = join(empty, 'shop');
  for (const [diff, name] of [
    [handler, 'app.controller.ts'],
    [spec, 'app.controller.spec.ts'],
  ]) {
    const file = join(folder, 'src', name);
    await writeFile(file, applied(diff, await readFile(file, 'utf8')));
  }
  const files = ['main.ts', 'app.module.ts', 'app.controller.ts', 'app.service.ts', 'guardrails.module.ts'];
  for (const name of cli === NEWEST_CLI ? files : files.slice(-1))
    assert.equal(
      await readFile(join(folder, 'src', name), 'utf8'),
      await readFile(new URL(name, EXAMPLE), 'utf8'),
      `${name} is as in examples/nest-minimal`,
    );
  await run('npm', ['test'], folder);
  await run('npm', ['run', 'test:e2e'], folder);
  const port = await freePort();
  // One shell, as OPS_KEY is set in it. The questions are asked when the application listens.
  const shell = spawn('bash', ['-eu'], {
    cwd: folder,
    detached: true,
    env: { ...process.env, PORT: String(port), NO_COLOR: '1' },
  });
  const printed = [];
  const started = new Promise((resolve) => {
    shell.stdout.on('data', (chunk) => {
      printed.push(String(chunk));
      if (printed.join('').includes('successfully started')) resolve('started');
    });
  });
  const errors = [];
  shell.stderr.on('data', (chunk) => errors.push(String(chunk)));
  const ended = once(shell, 'exit');
  try {
    // An application that fails ends the shell; otherwise this would wait for ever.
    shell.stdin.write(start.replace(/^(npm .*) &$/m, '($1 || kill $$$$) &'));
    const first = await Promise.race([started, ended]);
    assert.equal(first, 'started', `the quick start does not start:\n${printed.join('')}${errors.join('')}`);
    const log = printed.join('');
    assert.equal(log.match(/ LOG .*\[Guardrails\]/g)?.length, 6, log);
    assert.doesNotMatch(log, /guardrails\/api.*route/);
    const from = log.length;
    shell.stdin.write(`sleep 1\n${ask.replaceAll(':3000', `:${port}`).replaceAll(/^curl/gm, 'curl -s')}`);
    shell.stdin.end('echo\n');
    await ended;
    assert.equal(stable(printed.join('').slice(from)), stable(answers));
  } finally {
    // The application that the shell started in the background belongs to its group.
    process.kill(-Number(shell.pid), 'SIGKILL');
  }
}

/** Only the answers, a line each, without what differs from run to run. */
function stable(text) {
  return text
    .replaceAll(/}\s*{/g, '}\n{')
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => line.trim().replaceAll(/"builtin-\w+"|"\d{4}-[^"]+Z"/g, '"…"'))
    .join('\n');
}
