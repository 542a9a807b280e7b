// Causes faults in the database, the network and the processes, and checks the result: npm run faults [-- part of a file's name…]
//
// A file `<what>.fault.mjs` beside this one exports `faults`: a sentence → an async function that
// gets a `Place` and throws if the sentence is not true.
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { startPostgres } from '../postgres/postgres-server.mjs';
import { timeLimited } from './patience.mjs';
import { NotHere, Place } from './place.mjs';

/** The operating system keeps the writes of a killed process, so no fsync is needed. */
const SETTINGS = ['fsync=off', 'synchronous_commit=on', 'deadlock_timeout=200ms'];
const LONGEST_MS = 120_000;

const wanted = process.argv.slice(2);
const files = readdirSync(fileURLToPath(new URL('.', import.meta.url)))
  .filter((name) => name.endsWith('.fault.mjs'))
  .filter((name) => wanted.length === 0 || wanted.some((part) => name.includes(part)));

const counts = { passed: 0, failed: 0 };

/** An unhandled rejection fails the current fault. */
let stray;
process.on('unhandledRejection', (reason) => (stray ??= reason));

const server = await startPostgres({ settings: SETTINGS });
try {
  for (const file of files) await provoke(file);
} finally {
  await server.stop();
}
console.log(`\n${counts.passed} passed, ${counts.failed} failed`);
process.exit(counts.failed === 0 ? 0 : 1);

async function provoke(file) {
  const { faults } = await import(`./${file}`);
  const subject = file.replace('.fault.mjs', '').replaceAll('-', ' ');
  for (const [name, fault] of Object.entries(faults)) {
    const place = new Place(server, SETTINGS);
    const started = performance.now();
    stray = undefined;
    const problem = await failureOf(() => timeLimited(fault(place), LONGEST_MS, 'the fault'));
    const leaving = await failureOf(() => timeLimited(place.leave(), LONGEST_MS, 'clearing up'));
    say(`${subject}: ${name}`, problem ?? leaving ?? stray, performance.now() - started);
  }
}

function say(what, problem, milliseconds) {
  const seconds = `${(milliseconds / 1000).toFixed(1)} s`;
  if (problem instanceof NotHere) return console.log(`--    ${what}\n      not provoked: ${problem.message}`);
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
