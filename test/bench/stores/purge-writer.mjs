// Appends at a quarter of the rate that it measures first, and reports the times of its writes when asked.
import { createHistogram } from 'node:perf_hooks';
import { typeormStores } from 'nest-guardrails/typeorm';
import { invented } from './ingest.mjs';
import { rateOf } from './rates.mjs';

const TICK_MS = 10;
const MEASURED_MS = 3_000;

const stores = typeormStores({ url: process.argv[2], statementTimeoutMs: 30_000 });
await stores.open();
let number = 0;
const append = () => stores.audit.append(ownDecision(number++));
const rate = (await rateOf(append, { callers: 64, milliseconds: MEASURED_MS })) / 4;

// In microseconds.
const times = createHistogram();
const started = performance.now();
let begun = 0;
setInterval(() => {
  const due = ((performance.now() - started) / 1000) * rate;
  for (; begun < due; begun++) void timedAppend();
}, TICK_MS);

process.on('message', () => {
  const at = (share) => times.percentile(share) / 1000;
  process.send({ p50: at(50), p99: at(99), longest: times.max / 1000 });
  times.reset();
});
process.on('disconnect', () => process.exit());
process.send({ rate });

async function timedAppend() {
  const began = performance.now();
  await append();
  times.record(Math.max(1, Math.round((performance.now() - began) * 1000)));
}

/** None of its principals is in the rows that are purged. */
function ownDecision(next) {
  const { evidence, ...others } = invented(next);
  return { ...others, evidence: { ...evidence, principalId: `visitor-${next % 100}` } };
}
