import { createEngine } from 'nest-guardrails/engine';
import { DEFAULT_SETTINGS } from 'nest-guardrails/contracts';
import { typeormStores } from 'nest-guardrails/typeorm';
import { watchedStores } from '../support/watched-stores.mjs';
import { APPROVING, payingTool } from './paying-tool.mjs';
import { until } from './patience.mjs';
import { query } from './place.mjs';

// An instance that parks a call and waits for its outcome, or handles the outcome of an earlier call. It may be killed
// at a given step.

const { url, parks = false, diesAt = null, fails = 0 } = JSON.parse(process.argv[2]);

function passing(step) {
  if (step === diesAt) process.kill(process.pid, 'SIGKILL');
}

const stores = typeormStores({ url });
await stores.open();
const configured = { ...DEFAULT_SETTINGS, ...APPROVING };
const engine = createEngine({ stores: watchedStores(stores, passing), configured });
await engine.start();
const { guardrails, outcomeNotifier, approvalService } = engine;
if (parks) await park();
else await goOn();
await engine.stop();
await stores.close();
process.disconnect?.();

async function park() {
  const guarded = guardrails.guardTool(payingTool({ url }), { runId: 'run-1', principalId: 'customer-42' });
  const { parked } = await guarded.execute({ amount: 25 });
  const outcome = parked.outcome();
  process.send({ acknowledged: { id: parked.approvalId, token: approvalService.tokenOf(parked) } });
  await outcome;
  passing('waiting code notified');
}

/** Until a handler has gone on with an outcome. */
async function goOn() {
  let failures = fails;
  let isDone = false;
  guardrails.onApprovalOutcome(async ({ approvalId, status, result }) => {
    if (failures-- > 0) throw new Error('not now');
    await query(url, 'insert into resumed (approval, status, paid) values ($1, $2, $3)', [
      approvalId,
      status,
      result?.paid ?? 0,
    ]);
    passing('gone on');
    isDone = true;
  });
  await until(async () => {
    await outcomeNotifier.deliverDue();
    return isDone;
  }, 'a listener was notified');
  await outcomeNotifier.idle();
}
