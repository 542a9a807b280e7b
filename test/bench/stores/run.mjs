// Measures every goal of the stores and its floor or peer in the same run: npm run x -- bench [--quick] [--json]
import { parseArgs } from 'node:util';
import { backtest } from './backtest.mjs';
import { rounded, sized } from './figures.mjs';
import { evidenceCost } from './evidence-cost.mjs';
import { fill } from './fill.mjs';
import { ingest } from './ingest.mjs';
import { instances } from './instances.mjs';
import { latency } from './latency.mjs';
import { memory } from './memory.mjs';
import { page } from './page.mjs';
import { purge } from './purge.mjs';
import { reads } from './reads.mjs';
import { line, machine, writePage } from './report.mjs';
import { defaultSearch, trigramSearch } from './search.mjs';
import { benchServer, commitTime, query } from './server.mjs';
import { traffic } from './traffic.mjs';
import { verify } from './verify.mjs';

const { values: wanted } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    /** Parts whose names contain this. */
    only: { type: 'string', default: '' },
    /** Numbers of rows, separated by commas. */
    rows: { type: 'string' },
  },
});

const started = performance.now();
const SIZES =
  wanted.rows?.split(',').map(Number) ??
  (wanted.quick ? [100_000, 1_000_000] : [100_000, 1_000_000, 10_000_000]);
const EFFORT = wanted.quick
  ? { rounds: 3, readRounds: 31, milliseconds: 1_000, calls: 300, requests: 50_000 }
  : { rounds: 5, readRounds: 61, milliseconds: 1_500, calls: 500, requests: 1_000_000 };

const figures = [];
const data = { machine: null, sizes: SIZES, figures };
const server = await benchServer();
try {
  const databases = [];
  for (const rows of SIZES) databases.push(await filled(rows));
  const [smallest, largest] = [databases[0], databases.at(-1)];
  const [{ version }] = await query(smallest.url, `select current_setting('server_version') as version`);
  data.machine = machine({ version, commitMs: await commitTime(smallest.url) });

  await part('page', () => page(largest.url, EFFORT));
  await part('reads', () => reads(databases, { rounds: EFFORT.readRounds }));
  await part('search', () => defaultSearch(largest, { requests: wanted.quick ? 5 : 15 }));
  await part('backtest', () => backtest(largest, { rounds: EFFORT.rounds * 3 }));
  await part('trigram', async () =>
    trigramSearch(await filled(1_000_000, { search: 'trigram' }), { rounds: 31 }),
  );
  await part('traffic', async () => {
    const inLastHour = wanted.quick ? 1_000_000 : 5_000_000;
    const busy = await filled(smallest.rows + inLastHour, {}, inLastHour);
    return traffic({ ...busy, inLastHour }, smallest, { rounds: EFFORT.readRounds });
  });
  await writing(smallest.url, 'fsync on');
  await server.setQuickCommits();
  await writing(smallest.url, 'fsync off');
  await part('evidence cost', () => evidenceCost(server, EFFORT));
  await part('verify', () =>
    verify(server, { rounds: EFFORT.rounds, rows: wanted.quick ? 100_000 : 300_000 }),
  );
  // After all parts that read, because it deletes rows.
  await part('purge', async () => [...(await purge(smallest)), ...(await purge(largest))]);
  // The longest part, and the only one that needs no rows.
  await part('memory', () => memory(smallest.url, EFFORT));

  if (wanted.json) console.log(JSON.stringify(data, null, 2));
  else print();
} finally {
  await server.stop();
}
process.exit();

async function part(name, measure, circumstance) {
  if (!name.includes(wanted.only)) return;
  say(`measuring: ${name}`);
  for (const found of await measure()) {
    const next = circumstance === undefined ? found : { ...found, name: `${found.name} (${circumstance})` };
    say(line(next));
    figures.push(next);
  }
  // After every part, so that an aborted run keeps its results.
  if (!wanted.quick && wanted.only === '' && wanted.rows === undefined) await writePage(data);
}

async function filled(rows, storeOptions = {}, inLastHour = 0) {
  const url = await server.database(['rows', rows, ...Object.values(storeOptions)].join('_'));
  await fill({ url, ...storeOptions }, rows, (step) => say(`${sized(rows)}: ${step}`), inLastHour);
  const [{ highest, end }] = await query(
    url,
    'select max(id)::int as highest, max(occurred_at) as end from guardrails_audit_evidence',
  );
  return { url, rows, highest, end: end.getTime() };
}

/** Writes, on the real disk and on one that acknowledges commits at once. */
async function writing(url, durability) {
  const disk = `${durability}, a commit takes ${rounded(await commitTime(url))} ms`;
  await part('latency', () => latency(url, EFFORT), disk);
  await part('ingest', () => ingest(url, EFFORT), disk);
  await part('instances', () => instances(url, EFFORT), disk);
}

function print() {
  for (const next of figures) console.log(line(next));
  const goals = figures.filter(({ met }) => met !== null);
  console.log(`\n${goals.filter(({ met }) => met).length} of ${goals.length} goals met`);
}

/** Printed to stderr, so that stdout contains only the figures. */
function say(text) {
  console.error(`${((performance.now() - started) / 1000).toFixed(0).padStart(5)} s  ${text}`);
}
