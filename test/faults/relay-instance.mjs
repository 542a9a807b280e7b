// An instance that produces load and delivers its events to a webhook.
import { createEngine } from 'nest-guardrails/engine';
import { DEFAULT_SETTINGS } from 'nest-guardrails/contracts';
import { WebhookSink } from 'nest-guardrails/sinks';
import { typeormStores } from 'nest-guardrails/typeorm';
import { loadUntilEnd } from './load.mjs';

const { url, hook, callers = 8, name = 'child' } = JSON.parse(process.argv[2]);
const stores = typeormStores({ url });
await stores.open();
const sink = new WebhookSink({
  name: 'hook',
  url: hook,
  keys: [`whsec_${Buffer.from('a-shared-secret-of-thirty-bytes').toString('base64')}`],
  allow: ['127.0.0.1'],
  allowPlainHttp: true,
  timeoutMs: 500,
});
// A short lease, so that the other instance takes over soon.
const engine = createEngine({ stores, configured: DEFAULT_SETTINGS, sinks: [sink], leaseMs: 2_000 });
await engine.start();
const ticking = setInterval(() => engine.relay.wake(), 100);

loadUntilEnd(engine, stores, { callers, name }, () => clearInterval(ticking));
