// One instance of the built package under load, in a process that may be killed.
import { createEngine } from 'nest-guardrails/engine';
import { DEFAULT_SETTINGS } from 'nest-guardrails/contracts';
import { typeormStores } from 'nest-guardrails/typeorm';
import { loadUntilEnd } from './load.mjs';

const { url, migrate = false, callers = 64, name = 'child', settings = {} } = JSON.parse(process.argv[2]);
const stores = typeormStores({ url, migrate });
await stores.open();
const engine = createEngine({ stores, configured: { ...DEFAULT_SETTINGS, ...settings } });
await engine.start();

const end = loadUntilEnd(engine, stores, { callers, name });
if (callers === 0) await end();
