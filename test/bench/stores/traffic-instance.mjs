// Appends in its own process. Measures the rate at 64 callers first, and then appends at a quarter of it.
import { typeormStores } from 'nest-guardrails/typeorm';
import { invented } from './ingest.mjs';
import { rateOf } from './rates.mjs';

const TICK_MS = 10;

const stores = typeormStores({ url: process.argv[2] });
await stores.open();
let number = 0;
const append = () => stores.audit.append(invented(number++));
const full = await rateOf(append, { callers: 64, milliseconds: 3_000 });
const rate = full / 4;
const started = performance.now();
let appended = 0;
setInterval(() => {
  const due = ((performance.now() - started) / 1000) * rate;
  for (; appended < due; appended++) void append();
}, TICK_MS);
process.on('disconnect', () => process.exit());
process.send(rate);
