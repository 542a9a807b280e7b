// Drives the panel of the demo in Chromium: npm run x -- test:panel [part of a file's name…]
//
// A file `<subject>.panel.mjs` exports `cases`: a sentence → an async function that gets a `Stage` and throws if the
// sentence is not true. It may export `start` and `stop` for what its cases share. A case fails too if a page had an
// uncaught error, or broke its Content-Security-Policy. Cases run one after the other; files that export
// `hasOwnHosts` run beside the others, without the demo.
// Prints `N passed, N failed` last.
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { startBrowser } from './browser.mjs';
import { startDemo } from './demo.mjs';
import { Stage } from './stage.mjs';

const CASE_LIMIT_MS = 90_000;

const wanted = process.argv.slice(2);
const files = readdirSync(fileURLToPath(new URL('.', import.meta.url)))
  .filter((name) => name.endsWith('.panel.mjs'))
  .filter((name) => wanted.length === 0 || wanted.some((part) => name.includes(part)));

const counts = { passed: 0, failed: 0 };
const [demo, browser] = await Promise.all([startDemo(), startBrowser()]);
try {
  const modules = await Promise.all(files.map(async (file) => ({ file, ...(await import(`./${file}`)) })));
  await Promise.all([
    runAll(
      modules.filter(({ hasOwnHosts }) => !hasOwnHosts),
      demo,
    ),
    runAll(
      modules.filter(({ hasOwnHosts }) => hasOwnHosts),
      null,
    ),
  ]);
} finally {
  await browser.close();
  await demo.stop();
}
console.log(`\n${counts.passed} passed, ${counts.failed} failed`);
process.exit(counts.failed === 0 && counts.passed > 0 ? 0 : 1);

async function runAll(modules, demoOfCases) {
  for (const { file, cases, start, stop } of modules) {
    const subject = file.replace('.panel.mjs', '').replaceAll('-', ' ');
    try {
      await start?.();
      for (const [sentence, run] of Object.entries(cases))
        await check(`${subject}: ${sentence}`, run, new Stage(demoOfCases, browser));
    } finally {
      await stop?.();
    }
  }
}

async function check(name, run, stage) {
  const started = performance.now();
  let failure;
  try {
    await limited(run(stage));
    if (stage.problems.length > 0) throw new Error(`The pages reported:\n${stage.problems.join('\n')}`);
  } catch (error) {
    failure = error;
  }
  await stage.close();
  counts[failure === undefined ? 'passed' : 'failed']++;
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(`${failure === undefined ? 'ok  ' : 'FAIL'}  ${name} (${seconds} s)`);
  if (failure !== undefined) console.log(String(failure.stack ?? failure).replaceAll(/^/gm, '      '));
}

async function limited(work) {
  let timer;
  const limit = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error('The case took too long.')), CASE_LIMIT_MS);
  });
  await Promise.race([work, limit]).finally(() => clearTimeout(timer));
}
