import { typeormStores } from 'nest-guardrails/typeorm';
import { Client } from 'pg';
import { figure, thousands } from './figures.mjs';
import { invented } from './ingest.mjs';
import { interleavedRates, rateOf } from './rates.mjs';

const CALLERS = 64;
const INDEXES = ['run_id', 'request_id', 'tool'];
const EXTENDED_AT_ONCE = 5_000;

/** What the indexes of `run_id`, `request_id` and `tool`, and the transparency log, cost ingest. */
export async function evidenceCost(server, { rounds, milliseconds }) {
  const opened = [];
  const open = async (name) => {
    const url = await server.database(`evidence_cost_${name}`);
    const stores = typeormStores({ url, migrate: true });
    await stores.open();
    opened.push(stores);
    return { stores, url };
  };
  try {
    const [shipped, plain, logged] = [await open('shipped'), await open('plain'), await open('logged')];
    await dropIndexes(plain.url);
    await logged.stores.log.extend(1);
    let number = 0;
    const append = ({ stores }) => stores.audit.append(invented(number++));
    const rate = (place) => rateOf(() => append(place), { callers: CALLERS, milliseconds });
    const [ours, without, withLog] = await interleavedRates(rounds * 2, [
      () => rate(shipped),
      () => rate(plain),
      () => rateWithLog(logged.stores, () => append(logged), milliseconds),
    ]);
    return [
      figure({
        name: `ingest at ${CALLERS} callers, with the indexes of run, request and tool`,
        floor: 'the same without these three indexes',
        value: without.ratio,
        unit: '×',
        atLeast: 0.95,
        detail: `${thousands(ours.rate)} against ${thousands(without.rate)} rows/s`,
      }),
      figure({
        name: `ingest at ${CALLERS} callers, until every row has its leaf in the transparency log`,
        floor: 'the same without the log',
        value: 1 / withLog.ratio,
        unit: '×',
        atLeast: 0.95,
        detail: `${thousands(withLog.rate)} against ${thousands(ours.rate)} rows/s; one process appends and extends`,
      }),
    ];
  } finally {
    for (const stores of opened) await stores.close();
  }
}

/** Rows a second, including the time to extend the log by these rows. */
async function rateWithLog(stores, append, milliseconds) {
  const started = performance.now();
  const rate = await rateOf(append, { callers: CALLERS, milliseconds });
  const rows = (rate * (performance.now() - started)) / 1000;
  while (await stores.log.extend(EXTENDED_AT_ONCE));
  return (1000 * rows) / (performance.now() - started);
}

async function dropIndexes(url) {
  const client = new Client(url);
  await client.connect();
  const { rows } = await client.query(
    `select indexname, indexdef from pg_indexes where tablename = 'guardrails_audit_evidence'`,
  );
  const named = rows.filter(({ indexdef }) => INDEXES.some((column) => indexdef.includes(`(${column},`)));
  if (named.length !== INDEXES.length) throw new Error(`Found ${named.length} of ${INDEXES.length} indexes.`);
  for (const { indexname } of named) await client.query(`drop index ${indexname}`);
  await client.end();
}
