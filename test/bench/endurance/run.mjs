// Hours of steady traffic: npm run x -- bench:endurance [--minutes 60] [--rate CALLS]
//
// One process with the engine, the admin API and the panel makes calls at a quarter of the measured ingest rate, with a
// live stream open, a sink that refuses connections, and a purge every minute, so that the tables reach a steady size.
// Fails with a sentence for everything that grows by more than 5 % over the second half of the run.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { freePort } from '../../servers/free-port.mjs';
import { thousands } from '../stores/figures.mjs';
import { benchServer } from '../stores/server.mjs';
import { OpenStream, SteadyReader } from './clients.mjs';
import { DatabaseProbe } from './database-probe.mjs';
import { verdicts } from './verdicts.mjs';

const { values: given } = parseArgs({
  options: { minutes: { type: 'string', default: '60' }, rate: { type: 'string' } },
});
const MINUTES = positive('--minutes', given.minutes);
const RATE = given.rate === undefined ? undefined : positive('--rate', given.rate);
const SHARE = 0.25;
const WINDOW_MS = 30_000;
const LOCKS_EVERY_MS = 500;
/** Rows are purged at this age, so that the second half of the run has no more rows than the first one. */
const KEPT_MS = Math.max(2, MINUTES / 12) * 60_000;

const server = await benchServer();
const ends = [];
let hasFailed = true;
try {
  const { windows, rate } = await endure();
  const found = verdicts(windows, rate);
  for (const { line } of found) console.log(line);
  hasFailed = found.some(({ met }) => met === false);
  for (const { sentence } of found) if (sentence) console.error(sentence);
} finally {
  for (const end of ends.toReversed()) await end();
  await server.stop();
}
process.exit(hasFailed ? 1 : 0);

async function endure() {
  const url = await server.database('endurance');
  const options = { url, rate: RATE, share: SHARE, deadPort: await freePort() };
  const host = fork(fileURLToPath(new URL('./host.mjs', import.meta.url)), [JSON.stringify(options)], {
    execArgv: ['--expose-gc'],
  });
  const exit = once(host, 'exit');
  const exited = exit.then(([code]) => {
    throw new Error(`The host ended with ${code}.`);
  });
  exited.catch(() => undefined);
  ends.push(async () => {
    if (host.connected) host.disconnect();
    await exit;
  });
  const [{ address, rate }] = await Promise.race([once(host, 'message'), exited]);
  say(`${thousands(rate)} calls/s for ${MINUTES} minutes; rows are purged after ${KEPT_MS / 60_000} minutes`);

  const probe = new DatabaseProbe(url);
  await probe.open();
  ends.push(() => probe.close());
  const reader = new SteadyReader(address);
  const stream = new OpenStream(address);
  ends.push(
    () => reader.stop(),
    () => stream.stop(),
  );

  let purges = { runs: 0, entries: 0, problem: null };
  let sampled = () => undefined;
  host.on('message', ({ sample, purged, problem }) => {
    if (sample !== undefined) {
      sampled(sample);
      return;
    }
    purges = {
      runs: purges.runs + 1,
      entries: purges.entries + (purged ?? 0),
      problem: purges.problem ?? problem ?? null,
    };
  });

  const windows = [];
  const count = Math.floor((MINUTES * 60_000) / WINDOW_MS);
  const started = performance.now();
  for (let number = 1; number <= count; number++) {
    const locks = [];
    for (const end = started + number * WINDOW_MS; performance.now() < end;) {
      locks.push(await probe.locks());
      await Promise.race([delay(LOCKS_EVERY_MS), exited]);
    }
    const process = await Promise.race([
      new Promise((resolve) => {
        sampled = resolve;
        host.send({ sample: true });
      }),
      exited,
    ]);
    const isWholeMinute = number % 2 === 0;
    const window = {
      ...process,
      connections: Math.max(...locks.map(({ connections }) => connections)),
      // What no transaction keeps for long is not held at one of the instants.
      held: Math.min(...locks.map(({ held }) => held)),
      waiting: Math.max(...locks.map(({ waiting }) => waiting)),
      waitedMs: Math.max(...locks.map(({ waitedMs }) => waitedMs)),
      tables: isWholeMinute ? await probe.sizes() : null,
      reads: reader.sample(),
      events: stream.sample(),
      purges,
    };
    windows.push(window);
    say(progressOf(window, number * (WINDOW_MS / 60_000)));
    if (isWholeMinute) host.send({ purgeBefore: Date.now() - KEPT_MS });
  }
  return { windows, rate };
}

function progressOf(
  { heap, rss, connections, held, calls, p50, p99, failed, reads, events, purges },
  minutes,
) {
  const megabytes = (bytes) => `${(bytes / 2 ** 20).toFixed(1)} MB`;
  return [
    `${minutes.toFixed(1)} of ${MINUTES} min`,
    `${thousands(calls / (WINDOW_MS / 1000))} screened/s`,
    `p50 ${p50.toFixed(1)} p99 ${p99.toFixed(1)} ms`,
    `heap ${megabytes(heap)}, resident ${megabytes(rss)}`,
    `${connections} connections, ${held} locks kept`,
    `${reads.answers} reads, ${reads.serverErrors} 5xx`,
    `${events} events`,
    `${thousands(purges.entries)} purged`,
    ...(failed === 0 ? [] : [`${failed} calls failed`]),
  ].join(' · ');
}

function positive(name, text) {
  const number = Number(text);
  if (number > 0) return number;
  throw new Error(`${name} must be a positive number.`);
}

function say(text) {
  console.error(text);
}
