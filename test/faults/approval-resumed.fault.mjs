import assert from 'node:assert/strict';
import { fileURLToPath } from 'node:url';
import { APPROVING, makeEffects, payingTool } from './paying-tool.mjs';
import { query } from './place.mjs';

const RESUMING = fileURLToPath(new URL('./resuming.mjs', import.meta.url));
const APPROVER = fileURLToPath(new URL('./approving.mjs', import.meta.url));

const PAID_ONCE = { approved: { status: 'executed', paid: 25 }, rejected: { status: 'rejected', paid: 0 } };

export const faults = {
  'killed after parking, approved by another process: the handler of a third one resumes': (place) =>
    resumed(place, 'approved'),
  'killed after parking, rejected meanwhile: the handler of another process resumes': (place) =>
    resumed(place, 'rejected'),
  'ended after parking, approved by another process: the handler of a third one resumes': (place) =>
    resumed(place, 'approved', 'SIGTERM'),
  'killed when the waiting code is notified: a handler resumes instead': (place) => killedWaiting(place),
  'killed before the handler is called: another handler resumes, once': (place) =>
    killedTelling(place, 'outcome claimed', 1),
  'killed after the handler resumed and before that is recorded: another handler is notified too': (place) =>
    killedTelling(place, 'gone on', 2),
  'killed before the resumed handler is recorded: another handler is notified too': (place) =>
    killedTelling(place, 'handlers returned', 2),
  'a handler that throws is notified again, after a pause': (place) => toldAgain(place),
};

async function resumed(place, verdict, signal = 'SIGKILL') {
  const { url, id, decide, waiting } = await parked(place);
  await waiting.kill(signal);
  await decide(verdict);
  await letTimePass(url);
  assert.equal(await goOn(place, url), 0);
  await assertResumed(url, [{ approval: id, ...PAID_ONCE[verdict] }]);
}

async function killedWaiting(place) {
  const { url, id, decide, waiting } = await parked(place, { diesAt: 'waiting code notified' });
  await decide('approved');
  assert.equal(await waiting.ended(), null, 'it was killed');
  await letTimePass(url);
  assert.equal(await goOn(place, url), 0);
  await assertResumed(url, [{ approval: id, ...PAID_ONCE.approved }]);
}

async function killedTelling(place, diesAt, times) {
  const { url, id, decide, waiting } = await parked(place);
  await waiting.kill();
  await decide('approved');
  await letTimePass(url);
  assert.equal(await goOn(place, url, { diesAt }), null, 'it was killed');
  await letTimePass(url);
  assert.equal(await goOn(place, url), 0);
  const told = { approval: id, ...PAID_ONCE.approved };
  await assertResumed(url, times === 1 ? [told] : [told, told]);
}

async function toldAgain(place) {
  const { url, id, decide, waiting } = await parked(place);
  await waiting.kill();
  await decide('approved');
  await letTimePass(url);
  assert.equal(await goOn(place, url, { fails: 1 }), 0);
  await assertResumed(url, [{ approval: id, ...PAID_ONCE.approved }]);
  const [{ attempts }] = await query(
    url,
    'select notify_attempts as attempts from guardrails_approvals where id = $1',
    [id],
  );
  assert.equal(attempts, 2);
}

const goOn = (place, url, options) => place.child({ url, ...options }, RESUMING).ended();

/** A call that another process has parked and waits for; `decide` belongs to a second instance. */
async function parked(place, options = {}) {
  const url = await place.database();
  await makeEffects(url);
  await query(url, 'create table resumed (approval integer, status text, paid integer)');
  const waiting = place.child({ url, parks: true, ...options }, RESUMING);
  await waiting.hasAcknowledged(1);
  const [{ id, token }] = waiting.acknowledged;
  const decide = async (verdict) => {
    if (verdict === 'approved') return assert.equal(await place.child({ url, token }, APPROVER).ended(), 0);
    const engine = await place.engine(url, { settings: APPROVING, tools: [payingTool({ url })] });
    return engine.approvalService.decide(token, verdict, { actorId: 'ops-1', reason: null });
  };
  return { url, id, decide, waiting };
}

/** Waits until every notification lease has ended. */
async function letTimePass(url) {
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
  const [{ told }] = await query(url, 'select count(notified_at)::int as told from guardrails_approvals');
  assert.equal(told, 1);
}
