// What a deployment needs: npm run x -- bench:scale [--seconds 10] [--write]
//
// Processor seconds of each process and bytes of each table per million decisions, for one and two instances, behind
// PgBouncer, and with a streaming replica. Processor time does not depend on other load of the machine as rates do. With
// --write, the figures and the sizing table replace those of docs/reference/sizing.md.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { typeormStores } from 'nest-guardrails/typeorm';
import { startPgbouncer } from '../../pgbouncer/pgbouncer-server.mjs';
import { startReplicatedPostgres } from '../../replica/replicated-postgres.mjs';
import { benchServer, query } from '../stores/server.mjs';
import { scalePage, writeFigures } from './scale-page.mjs';
import { secondsOf } from './processor-time.mjs';

const { values: given } = parseArgs({
  options: { seconds: { type: 'string', default: '10' }, write: { type: 'boolean', default: false } },
});
const MILLISECONDS = Number(given.seconds) * 1000;
const INSTANCE = fileURLToPath(new URL('./instance.mjs', import.meta.url));
const SHORT = 0;
const LONG = 1_000;

const measured = [];
const server = await benchServer();
let storage;
try {
  const url = await migrated(await server.database('scale'));
  const from = await logPosition(url);
  measured.push(await arrangement('one instance, PostgreSQL', { url }));
  storage = await storagePerMillion(url, from);
  measured.push(await arrangement('one instance, texts of 1,000 characters', { url, textLength: LONG }));
  measured.push(await arrangement('two instances, PostgreSQL', { url, instances: 2 }));
  const pooler = await startPgbouncer(url);
  try {
    measured.push(await arrangement('one instance, PgBouncer, PostgreSQL', { url, pooler: pooler.url }));
  } finally {
    await pooler.stop();
  }
} finally {
  await server.stop();
}
const replicated = await startReplicatedPostgres();
try {
  const url = await migrated(replicated.url);
  measured.push(
    await arrangement('one instance, PostgreSQL, replica', { url, replica: replicated.replicaUrl }),
  );
} finally {
  await replicated.stop();
}

const page = scalePage({ measured, storage });
console.log(page);
if (given.write) await writeFigures(page);
process.exit();

/** Two runs: the first one is a warm-up. */
async function arrangement(name, { url, pooler, replica, instances = 1, textLength = SHORT }) {
  console.error(`measuring: ${name}`);
  const options = {
    url: pooler ?? url,
    ...(pooler === undefined ? {} : { pooler: 'transaction' }),
    ...(replica === undefined ? {} : { replicas: [replica] }),
  };
  const processes = Array.from({ length: instances }, (_, index) =>
    fork(INSTANCE, [JSON.stringify({ options, name: `${name}-${index}`, textLength })]),
  );
  try {
    await Promise.all(processes.map((process) => once(process, 'message')));
    await run(processes, MILLISECONDS / 2);
    const before = serverSeconds({ url, pooler, replica });
    const reports = await run(processes, MILLISECONDS);
    const after = serverSeconds({ url, pooler, replica });
    const decisions = reports.reduce((sum, report) => sum + report.decisions, 0);
    const perMillion = (seconds) => (seconds / decisions) * 1e6;
    const used = Object.keys(after).map((key) => [key, perMillion(after[key] - before[key])]);
    return {
      name,
      rate: (decisions / MILLISECONDS) * 1000,
      instance: perMillion(reports.reduce((sum, { seconds }) => sum + seconds, 0)),
      ...Object.fromEntries(used),
    };
  } finally {
    for (const process of processes) process.disconnect();
  }
}

function run(processes, milliseconds) {
  return Promise.all(
    processes.map(async (process) => {
      process.send(milliseconds);
      return (await once(process, 'message'))[0];
    }),
  );
}

function serverSeconds(urls) {
  const at = (name, url) => secondsOf(name, new URL(url).port);
  return {
    postgres: at('postgres', urls.url),
    ...(urls.pooler === undefined ? {} : { pgbouncer: at('pgbouncer', urls.pooler) }),
    ...(urls.replica === undefined ? {} : { replica: at('postgres', urls.replica) }),
  };
}

async function migrated(url) {
  const stores = typeormStores({ url, migrate: true });
  await stores.open();
  await stores.close();
  return url;
}

async function logPosition(url) {
  const [{ bytes }] = await query(
    url,
    `select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::float8 as bytes`,
  );
  return bytes;
}

/** Bytes of each table and of its indexes per million decisions, and of the write-ahead log. */
async function storagePerMillion(url, from) {
  const written = (await logPosition(url)) - from;
  await query(url, 'vacuum (analyze)');
  const [{ decisions }] = await query(
    url,
    'select count(*)::float8 as decisions from guardrails_audit_evidence',
  );
  const tables = await query(
    url,
    `select replace(relname, 'guardrails_', '') as name, pg_table_size(relid)::float8 as rows, pg_indexes_size(relid)::float8 as indexes
     from pg_stat_user_tables where starts_with(relname, 'guardrails_') order by pg_total_relation_size(relid) desc`,
  );
  const perMillion = (bytes) => (bytes / decisions) * 1e6;
  return {
    tables: tables.map(({ name, rows, indexes }) => ({
      name,
      rows: perMillion(rows),
      indexes: perMillion(indexes),
    })),
    written: perMillion(written),
  };
}
