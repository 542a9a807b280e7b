// One instance of the built package under load, in a process that may be killed.
import { createEngine } from 'nest-guardrails/engine';
import { DEFAULT_SETTINGS } from 'nest-guardrails/contracts';
import { typeormStores } from 'nest-guardrails/typeorm';
import { Load } from './load.mjs';

const { url, migrate = false, callers = 64, name = 'child', settings = {} } = JSON.parse(process.argv[2]);
const stores = typeormStores({ url, migrate });
await stores.open();
const engine = createEngine({ stores, configured: { ...DEFAULT_SETTINGS, ...settings } });
await engine.start();

const load = new Load(engine, {
  callers,
  name,
  onAcknowledged: (acknowledged) => process.send?.({ acknowledged }),
});

async function end() {
  await load.stop();
  await engine.stop();
  await stores.close();
  process.disconnect?.();
}
process.once('SIGTERM', () => void end());
process.once('disconnect', () => process.exit());
if (callers === 0) await end();
