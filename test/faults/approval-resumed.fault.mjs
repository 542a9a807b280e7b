import assert from 'node:assert/strict';
import { fileURLToPath } from 'node:url';
import { APPROVING, makeEffects, payingTool } from './paying-tool.mjs';
import { query } from './fault-environment.mjs';

const OUTCOME_INSTANCE = fileURLToPath(new URL('./outcome-instance.mjs', import.meta.url));
const APPROVAL_INSTANCE = fileURLToPath(new URL('./approval-instance.mjs', import.meta.url));

const PAID_ONCE = { approved: { status: 'executed', paid: 25 }, rejected: { status: 'rejected', paid: 0 } };

export const faults = {
  'killed after parking, approved by another process: the handler of a third one resumes': (environment) =>
    resumed(environment, 'approved'),
  'killed after parking, rejected meanwhile: the handler of another process resumes': (environment) =>
    resumed(environment, 'rejected'),
  'ended after parking, approved by another process: the handler of a third one resumes': (environment) =>
    resumed(environment, 'approved', 'SIGTERM'),
  'killed when the waiting code is notified: a handler resumes instead': (environment) =>
    killedWaiting(environment),
  'killed before the handler is called: another handler resumes, once': (environment) =>
    killedNotifying(environment, 'outcome claimed', 1),
  'killed after the handler resumed and before that is recorded: another handler is notified too': (
    environment,
  ) => killedNotifying(environment, 'handler resumed', 2),
  'killed before the resumed handler is recorded: another handler is notified too': (environment) =>
    killedNotifying(environment, 'handlers returned', 2),
  'a handler that throws is notified again, after a pause': (environment) => notifiedAgain(environment),
};

async function resumed(environment, verdict, signal = 'SIGKILL') {
  const { url, id, decide, waiting } = await parked(environment);
  await waiting.kill(signal);
  await decide(verdict);
  await expireLeases(url);
  assert.equal(await handleOutcome(environment, url), 0);
  await assertResumed(url, [{ approval: id, ...PAID_ONCE[verdict] }]);
}

async function killedWaiting(environment) {
  const { url, id, decide, waiting } = await parked(environment, { killedAtStep: 'waiting code notified' });
  await decide('approved');
  assert.equal(await waiting.ended(), null, 'it was killed');
  await expireLeases(url);
  assert.equal(await handleOutcome(environment, url), 0);
  await assertResumed(url, [{ approval: id, ...PAID_ONCE.approved }]);
}

async function killedNotifying(environment, killedAtStep, times) {
  const { url, id, decide, waiting } = await parked(environment);
  await waiting.kill();
  await decide('approved');
  await expireLeases(url);
  assert.equal(await handleOutcome(environment, url, { killedAtStep }), null, 'it was killed');
  await expireLeases(url);
  assert.equal(await handleOutcome(environment, url), 0);
  const resumption = { approval: id, ...PAID_ONCE.approved };
  await assertResumed(url, times === 1 ? [resumption] : [resumption, resumption]);
}

async function notifiedAgain(environment) {
  const { url, id, decide, waiting } = await parked(environment);
  await waiting.kill();
  await decide('approved');
  await expireLeases(url);
  assert.equal(await handleOutcome(environment, url, { fails: 1 }), 0);
  await assertResumed(url, [{ approval: id, ...PAID_ONCE.approved }]);
  const [{ attempts }] = await query(
    url,
    'select notify_attempts as attempts from guardrails_approvals where id = $1',
    [id],
  );
  assert.equal(attempts, 2);
}

const handleOutcome = (environment, url, options) =>
  environment.child({ url, ...options }, OUTCOME_INSTANCE).ended();

/** A call that another process parked and waits for. `decide` runs on a second instance. */
async function parked(environment, options = {}) {
  const url = await environment.database();
  await makeEffects(url);
  await query(url, 'create table resumed (approval integer, status text, paid integer)');
  const waiting = environment.child({ url, parks: true, ...options }, OUTCOME_INSTANCE);
  await waiting.hasAcknowledged(1);
  const [{ id, token }] = waiting.acknowledged;
  const decide = async (verdict) => {
    if (verdict === 'approved')
      return assert.equal(await environment.child({ url, token }, APPROVAL_INSTANCE).ended(), 0);
    const engine = await environment.engine(url, { settings: APPROVING, tools: [payingTool({ url })] });
    return engine.approvalService.decide(token, verdict, { actorId: 'ops-1', reason: null });
  };
  return { url, id, decide, waiting };
}

/** Waits until every notification lease has ended. */
async function expireLeases(url) {
  await query(
    url,
    `update guardrails_approvals set notify_lease_until = notify_lease_until - interval '1 hour',
       finished_at = finished_at - interval '1 minute'`,
  );
}

async function assertResumed(url, expected) {
  assert.deepEqual(await query(url, 'select approval, status, paid from resumed'), expected);
  const [{ paid }] = await query(url, 'select count(*)::int as paid from effects');
  assert.equal(paid, expected[0].paid === 0 ? 0 : 1);
  const [{ notified }] = await query(
    url,
    'select count(notified_at)::int as notified from guardrails_approvals',
  );
  assert.equal(notified, 1);
}
