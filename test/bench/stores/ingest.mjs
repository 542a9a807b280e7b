import { decision } from 'nest-guardrails/testing';
import { typeormStores } from 'nest-guardrails/typeorm';
import { Client, Pool } from 'pg';
import { figure, thousands } from './figures.mjs';
import { GroupCopy } from './group-copy.mjs';
import { interleavedRates, rateOf } from './rates.mjs';
import { SingleInserts } from './single-inserts.mjs';

const CALLERS = 64;

/** Typical decisions of screening: one in twelve matched a rule, with a hundred customers and six rows of counts per hour. */
export function invented(number) {
  const matched = number % 12 === 0;
  const outcome = !matched ? 'allowed' : number % 36 === 0 ? 'blocked' : 'observed';
  return decision({
    occurredAt: new Date(),
    outcome,
    ruleId: matched ? 'override.ignore_previous' : null,
    matchedRules: matched ? [{ ruleId: 'override.ignore_previous', span: [0, 30] }] : [],
    principalId: `customer-${1 + (number % 100)}`,
    application: 'shop',
    requestId: `request-${number}`,
    prompt: `Where is the parcel ${number} that I ordered on Monday, and why did no one write to me about it?`,
  });
}

export async function ingest(url, { rounds, milliseconds }) {
  const stores = typeormStores({ url });
  await stores.open();
  const pool = new Pool({ connectionString: url, max: 32 });
  // The server stops after the last part, possibly before the pool has closed its connections.
  pool.on('error', () => undefined);
  const copier = new Client(url);
  await copier.connect();
  let number = 0;
  await stores.audit.append(invented(0));
  const folding = new SingleInserts(pool, { folding: true });
  const bare = new SingleInserts(pool, { folding: false });
  const copy = new GroupCopy(copier);

  const sorts = [
    () => stores.audit.append(invented(number++)),
    () => folding.append(invented(number++)),
    () => bare.append(invented(number++)),
    () => copy.append(invented(number++)),
  ].map((call) => () => rateOf(call, { callers: CALLERS, milliseconds }));
  try {
    const [ours, ...peers] = await interleavedRates(rounds, sorts);
    return goals(ours.rate, peers);
  } finally {
    await stores.close();
    await pool.end();
    await copier.end();
  }
}

function goals(rate, [folding, bare, copy]) {
  const beside = (peer) => `${thousands(rate)} against ${thousands(peer.rate)} rows/s`;
  return [
    figure({
      name: `ingest at ${CALLERS} callers, everything included, against one INSERT per table and screening with the rollup`,
      floor: 'one statement per screening: evidence, content, one line of the hour',
      value: folding.ratio,
      unit: '×',
      atLeast: 10,
      detail: beside(folding),
    }),
    figure({
      name: `ingest at ${CALLERS} callers, everything included, against one INSERT per table and screening without any rollup`,
      floor: 'one statement per screening: evidence and content',
      value: bare.ratio,
      unit: '×',
      atLeast: 2.5,
      detail: beside(bare),
    }),
    figure({
      name: `ingest at ${CALLERS} callers, everything included, against group COPY into the same tables`,
      floor:
        'all waiting rows are written by two COPYs and one commit; no rollup, no principals, no seal computed',
      value: copy.ratio,
      unit: '×',
      atLeast: 0.5,
      detail: beside(copy),
    }),
  ];
}
