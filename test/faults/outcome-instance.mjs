import { createEngine } from 'nest-guardrails/engine';
import { DEFAULT_SETTINGS } from 'nest-guardrails/contracts';
import { typeormStores } from 'nest-guardrails/typeorm';
import { watchedStores } from '../support/watched-stores.mjs';
import { APPROVING, payingTool } from './paying-tool.mjs';
import { until } from './time-limits.mjs';
import { query } from './fault-environment.mjs';

// An instance that parks a call and waits for its outcome, or handles the outcome of an earlier call. It may be killed
// at a given step.

const { url, parks = false, killedAtStep = null, fails = 0 } = JSON.parse(process.argv[2]);

function onStep(step) {
  if (step === killedAtStep) process.kill(process.pid, 'SIGKILL');
}

const stores = typeormStores({ url });
await stores.open();
const configured = { ...DEFAULT_SETTINGS, ...APPROVING };
const engine = createEngine({ stores: watchedStores(stores, onStep), configured });
await engine.start();
const { guardrails, outcomeNotifier, approvalService } = engine;
if (parks) await park();
else await handleOutcome();
await engine.stop();
await stores.close();
process.disconnect?.();

async function park() {
  const guarded = guardrails.guardTool(payingTool({ url }), { runId: 'run-1', principalId: 'customer-42' });
  const { parked } = await guarded.execute({ amount: 25 });
  const outcome = parked.outcome();
  process.send({ acknowledged: { id: parked.approvalId, token: approvalService.tokenOf(parked) } });
  await outcome;
  onStep('waiting code notified');
}

/** Waits until a handler processed an outcome. */
async function handleOutcome() {
  let failures = fails;
  let isDone = false;
  guardrails.onApprovalOutcome(async ({ approvalId, status, result }) => {
    if (failures-- > 0) throw new Error('not now');
    await query(url, 'insert into resumed (approval, status, paid) values ($1, $2, $3)', [
      approvalId,
      status,
      result?.paid ?? 0,
    ]);
    onStep('handler resumed');
    isDone = true;
  });
  await until(async () => {
    await outcomeNotifier.deliverDue();
    return isDone;
  }, 'a listener was notified');
  await outcomeNotifier.idle();
}
