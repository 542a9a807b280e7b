// Causes faults in the database, the network and the processes, and checks the result: npm run x -- faults [part of a file's name…]
//
// A file `<what>.fault.mjs` beside this one exports `faults`: a name → an async function that
// gets a `FaultEnvironment` and throws if the check fails.
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { startPostgres } from '../postgres/postgres-server.mjs';
import { timeLimited } from './time-limits.mjs';
import { NotSupportedHere, FaultEnvironment } from './fault-environment.mjs';

/** The operating system keeps the writes of a killed process, so no fsync is needed. */
const SETTINGS = ['fsync=off', 'synchronous_commit=on', 'deadlock_timeout=200ms'];
const TIMEOUT_MS = 120_000;

const wanted = process.argv.slice(2);
const files = readdirSync(fileURLToPath(new URL('.', import.meta.url)))
  .filter((name) => name.endsWith('.fault.mjs'))
  .filter((name) => wanted.length === 0 || wanted.some((part) => name.includes(part)));

const counts = { passed: 0, failed: 0 };

/** An unhandled rejection fails the current fault. */
let unhandled;
process.on('unhandledRejection', (reason) => (unhandled ??= reason));

const server = await startPostgres({ settings: SETTINGS });
try {
  for (const file of files) await run(file);
} finally {
  await server.stop();
}
console.log(`\n${counts.passed} passed, ${counts.failed} failed`);
process.exit(counts.failed === 0 ? 0 : 1);

async function run(file) {
  const { faults } = await import(`./${file}`);
  const subject = file.replace('.fault.mjs', '').replaceAll('-', ' ');
  for (const [name, fault] of Object.entries(faults)) {
    const environment = new FaultEnvironment(server, SETTINGS);
    const started = performance.now();
    unhandled = undefined;
    const problem = await failureOf(() => timeLimited(fault(environment), TIMEOUT_MS, 'the fault'));
    const cleaningUp = await failureOf(() => timeLimited(environment.end(), TIMEOUT_MS, 'cleaning up'));
    report(`${subject}: ${name}`, problem ?? cleaningUp ?? unhandled, performance.now() - started);
  }
}

function report(what, problem, milliseconds) {
  const seconds = `${(milliseconds / 1000).toFixed(1)} s`;
  if (problem instanceof NotSupportedHere)
    return console.log(`--    ${what}\n      not run: ${problem.message}`);
  counts[problem === undefined ? 'passed' : 'failed']++;
  console.log(`${problem === undefined ? 'ok  ' : 'FAIL'}  ${what} (${seconds})`);
  if (problem !== undefined) console.log(String(problem.stack ?? problem).replaceAll(/^/gm, '      '));
}

async function failureOf(work) {
  try {
    await work();
    return undefined;
  } catch (error) {
    return error;
  }
}
