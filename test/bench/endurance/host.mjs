// One process with the engine, the admin API and the panel, under steady calls; run with --expose-gc.
import { WebhookSink } from 'nest-guardrails/sinks';
import { typeormStores } from 'nest-guardrails/typeorm';
import { SystemClock } from '../../../dist/libs/contracts/src/common/clock.js';
import { Retention } from '../../../dist/libs/engine/src/record/retention.js';
import { openHost } from '../../panel/hosts.mjs';
import { invented } from '../stores/ingest.mjs';
import { rateOf } from '../stores/rates.mjs';
import { SteadyCalls } from './steady-calls.mjs';

const { url, deadPort, rate: wanted, share } = JSON.parse(process.argv[2]);
const MEASURED_MS = 5_000;

const deadSink = new WebhookSink({
  name: 'dead',
  url: `http://127.0.0.1:${deadPort}/`,
  keys: [`whsec_${Buffer.from('a-shared-secret-of-thirty-bytes').toString('base64')}`],
  allow: ['127.0.0.1'],
  allowPlainHttp: true,
  minimumSeverity: 'medium',
});

const stores = typeormStores({ url, migrate: true });
const settings = {
  'retention.schedule': 'hourly',
  'retention.strategy': 'purge',
  'retention.days': 1,
  'audit.checkpoint_key': Buffer.alloc(32, 7).toString('base64'),
};
await openHost({ stores, sinks: [deadSink], settings }, async ({ url: address, guardrails }) => {
  const rate = wanted ?? share * (await ingestRate());
  const load = new SteadyCalls(guardrails, rate);
  const retention = new Retention(stores.retention, new SystemClock());
  process.on('message', ({ sample, purgeBefore }) => {
    if (sample) process.send({ sample: load.sample() });
    if (purgeBefore) void purge(retention, new Date(purgeBefore));
  });
  process.send({ address, rate });
  load.start();
  await new Promise((resolve) => process.once('disconnect', resolve));
  await load.stop();
});
process.exit();

/** Appends per second at 64 callers, as in `npm run x -- bench`. */
function ingestRate() {
  let number = 0;
  const append = () => stores.audit.append(invented(number++));
  return rateOf(append, { callers: 64, milliseconds: MEASURED_MS });
}

async function purge(retention, before) {
  const order = { strategy: 'purge', scope: { kind: 'before', before }, actorId: 'ops-1' };
  try {
    const run = await retention.apply(order, { everything: true });
    process.send({ purged: run?.counts.entries ?? 0 });
  } catch (error) {
    process.send({ purged: null, problem: String(error.stack) });
  }
}
