// An instance in its own process: makes screened and other calls with 64 callers for the given time, and reports how many
// decisions it recorded and how many processor seconds it used.
import { DEFAULT_SETTINGS } from 'nest-guardrails/contracts';
import { createEngine } from 'nest-guardrails/engine';
import { typeormStores } from 'nest-guardrails/typeorm';
import { mixedCall } from '../endurance/steady-calls.mjs';

const CALLERS = 64;
const { options, name, textLength } = JSON.parse(process.argv[2]);
const stores = typeormStores(options);
await stores.open();
const engine = createEngine({ stores, configured: DEFAULT_SETTINGS });
await engine.start();

let number = 0;
process.on('message', (milliseconds) => void measure(milliseconds));

async function measure(milliseconds) {
  const before = process.cpuUsage();
  const from = number;
  const end = performance.now() + milliseconds;
  await Promise.all(
    Array.from({ length: CALLERS }, async () => {
      while (performance.now() < end) await mixedCall(engine.guardrails, number++, { name, textLength });
    }),
  );
  const { user, system } = process.cpuUsage(before);
  process.send({ decisions: number - from, seconds: (user + system) / 1e6 });
}
process.on('disconnect', () => process.exit());
process.send('ready');
