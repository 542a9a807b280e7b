import { fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { typeormStores } from 'nest-guardrails/typeorm';
import { Client } from 'pg';
import { SystemClock } from '../../../dist/libs/contracts/src/common/clock.js';
import { Retention } from '../../../dist/libs/engine/src/record/retention.js';
import { figure, rounded, sized, thousands } from './figures.mjs';

const WRITER = fileURLToPath(new URL('./purge-writer.mjs', import.meta.url));
const MAX_WAIT_MS = 100;
const QUIET_MS = 5_000;
const LOOK_EVERY_MS = 4;
const WRITERS_NAME = 'appends';

/**
 * Purges all rows while another process appends, and watches the locks. The writer has its own principals, so the
 * principals of the purged rows are deleted, too.
 */
export async function purge({ url, rows, highest, end }) {
  const stores = typeormStores({ url, statementTimeoutMs: 60_000, responseTimeoutMs: 120_000 });
  await stores.open();
  const writer = fork(WRITER, [named(url)]);
  const watch = new LockWatch(url);
  try {
    const [{ rate }] = await once(writer, 'message');
    await watch.start();
    await delay(QUIET_MS);
    const quiet = await report(writer);
    const batches = [];
    let last = performance.now();
    const started = last;
    const run = await new Retention(stores.retention, new SystemClock()).apply(
      { strategy: 'purge', scope: { kind: 'before', before: new Date(end) }, actorId: 'ops-1' },
      {
        everything: true,
        listener: () => {
          batches.push(performance.now() - last);
          last = performance.now();
        },
      },
    );
    const seconds = (performance.now() - started) / 1000;
    const beside = await report(writer);
    const { longestMs, instants, waits } = await watch.stop();
    const purged = run.counts.entries;
    if (purged < highest * 0.9) throw new Error(`Only ${purged} rows were purged.`);
    return [
      figure({
        name: `purge of ${sized(rows)} rows: longest wait of a decision for a lock of the purge`,
        value: longestMs,
        unit: 'ms',
        atMost: MAX_WAIT_MS,
        detail: `${waits} of ${thousands(instants)} looks at the locks found a waiting decision; ${thousands(purged)} entries and ${thousands(run.counts.principals)} principals in ${rounded(seconds)} s, batches of ${rounded(Math.max(...batches))} ms at most, while ${thousands(rate)} rows/s arrived`,
      }),
      figure({
        name: `purge of ${sized(rows)} rows: longest write of a decision meanwhile`,
        value: beside.longest,
        unit: 'ms',
        floor: 'the same writer before the purge',
        detail: `p50 ${rounded(beside.p50)}, p99 ${rounded(beside.p99)} ms; before it ${rounded(quiet.p50)}, ${rounded(quiet.p99)}, longest ${rounded(quiet.longest)} ms`,
      }),
    ];
  } finally {
    await watch.stop();
    writer.disconnect();
    await stores.close();
  }
}

function named(url) {
  const address = new URL(url);
  address.searchParams.set('application_name', WRITERS_NAME);
  return address.href;
}

/** The times of the writes since the last report. */
async function report(writer) {
  writer.send('report');
  const [figures] = await once(writer, 'message');
  return figures;
}

/** Looks for writes that wait for a lock. */
class LockWatch {
  #client;
  #running = Promise.resolve();
  #stopped = false;
  #seen = { longestMs: 0, instants: 0, waits: 0 };

  constructor(url) {
    this.#client = new Client(url);
  }

  async start() {
    await this.#client.connect();
    this.#running = this.#look();
  }

  async stop() {
    if (!this.#stopped) {
      this.#stopped = true;
      await this.#running;
      await this.#client.end();
    }
    return this.#seen;
  }

  /** `waitstart` gives the whole wait, also of one that began between two looks. */
  async #look() {
    while (!this.#stopped) {
      const { rows } = await this.#client.query({
        name: 'waits',
        text: `select (extract(epoch from clock_timestamp() - l.waitstart) * 1000)::float8 as waited
          from pg_locks l join pg_stat_activity a on a.pid = l.pid
          where not l.granted and l.waitstart is not null and a.application_name = '${WRITERS_NAME}'`,
      });
      this.#seen.instants++;
      if (rows.length > 0) this.#seen.waits++;
      this.#seen.longestMs = Math.max(this.#seen.longestMs, ...rows.map(({ waited }) => waited));
      await delay(LOOK_EVERY_MS);
    }
  }
}
