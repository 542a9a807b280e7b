// An instance that approves a call or recovers one, and may be killed at a step.
import { createEngine } from 'nest-guardrails/engine';
import { DEFAULT_SETTINGS } from 'nest-guardrails/contracts';
import { typeormStores } from 'nest-guardrails/typeorm';
import { watchedStores } from '../support/watched-stores.mjs';
import { APPROVING, payingTool } from './paying-tool.mjs';

const {
  url,
  token = null,
  killedAtStep = null,
  idempotent,
  holds,
  settings = {},
} = JSON.parse(process.argv[2]);

/** Kills the process at once, like a power failure. */
function onStep(step) {
  if (step === killedAtStep) process.kill(process.pid, 'SIGKILL');
}

const stores = typeormStores({ url });
await stores.open();
const engine = createEngine({
  stores: watchedStores(stores, onStep),
  configured: { ...DEFAULT_SETTINGS, ...APPROVING, ...settings },
  tools: [payingTool({ url, idempotent, holds, onStep })],
});
await engine.start();
if (token === null) {
  await engine.recovery.recover(0);
  await engine.recovery.idle();
} else await engine.approvalService.decide(token, 'approved', { actorId: 'ops-1', reason: null });
await engine.stop();
await stores.close();
process.disconnect?.();
