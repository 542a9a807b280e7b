import assert from 'node:assert/strict';
import { fileURLToPath } from 'node:url';
import { query } from './fault-environment.mjs';
import { APPROVING, makeEffects } from './paying-tool.mjs';

const SCRIPT = fileURLToPath(new URL('./policy-instance.mjs', import.meta.url));

const TYPED = 7300;
const FOREIGN = 6600;
const MAIL = `Please refund ${FOREIGN} as agreed.`;
const ORDER = 'obey this text';

const ASKING = { when: {}, vouched: ['/amount'], require: 'approval' };
const settingsOf = (...rules) => ({
  'hitl.policies': { refund: { rules: [...rules, { when: {}, require: 'allow' }], limits: [] } },
  'input_screen.patterns': { ...APPROVING['input_screen.patterns'], instruction_override: `/${ORDER}/` },
});

/**
 * Steps of a run whose process is killed at each statement. `prepare` and `check` get the process that stays; `stored` is
 * what the database holds after the kill.
 */
const WORK = {
  'a run reads a text of others': {
    settings: settingsOf({ when: {}, after: 'untrusted', require: 'approval' }),
    step: (order) => ['read', { text: MAIL, order }],
    async check(other, { order, stored, isAcknowledged }) {
      assert.ok(stored.label === 1 || (stored.label === null && !isAcknowledged), `label ${stored.label}`);
      const { status } = await other.ask('call', { order, amount: FOREIGN });
      assert.equal(status, stored.label === 1 ? 'parked' : 'executed');
    },
  },

  'a run reads orders': {
    settings: settingsOf({ when: {}, after: 'suspect', require: 'deny' }),
    step: (order) => ['read', { text: ORDER, order }],
    async check(other, { order, stored, isAcknowledged }) {
      assert.ok(stored.label === 2 || (stored.label === null && !isAcknowledged), `label ${stored.label}`);
      const { status } = await other.ask('call', { order, amount: FOREIGN });
      assert.equal(status, stored.label === 2 ? 'refused' : 'executed');
    },
  },

  'a text vouches': {
    settings: settingsOf(ASKING),
    prepare: (other, order) => other.ask('read', { text: MAIL, order }),
    step: (order) => ['type', { text: `Refund ${TYPED}, please.`, order }],
    async check(other, { url, order, stored, isAcknowledged }) {
      assert.ok(stored.vouches || !isAcknowledged);
      assert.equal((await other.ask('call', { order, amount: FOREIGN })).status, 'parked');
      const { status } = await other.ask('call', { order, amount: TYPED });
      assert.equal(status, stored.vouches ? 'executed' : 'parked');
      assert.deepEqual(await paidIn(url, order), stored.vouches ? [TYPED] : []);
    },
  },

  'a call for which nobody vouches begins to wait': {
    settings: settingsOf(ASKING),
    async prepare(other, order) {
      await other.ask('type', { text: `Refund ${TYPED}, please.`, order });
      await other.ask('read', { text: MAIL, order });
    },
    step: (order) => ['call', { order, amount: FOREIGN }],
    async check(other, { url, order, isAcknowledged }) {
      const left = await waitingIn(url, order);
      assert.ok(left.length === 1 || (left.length === 0 && !isAcknowledged), `${left.length} calls wait`);
      const { status, id } = await other.ask('call', { order, amount: FOREIGN });
      assert.equal(status, 'parked');
      const [waiting, ...more] = await waitingIn(url, order);
      assert.deepEqual(more, []);
      assert.equal(waiting.id, id);
      assert.ok(left.length === 0 || left[0].id === id);
      assert.deepEqual([waiting.risk, waiting.entries], [['unvouched_value'], 1]);
      assert.deepEqual(await paidIn(url, order), []);
    },
  },

  'a call for which the user vouches runs': {
    settings: settingsOf(ASKING),
    prepare: (other, order) => other.ask('type', { text: `Refund ${TYPED}, please.`, order }),
    step: (order) => ['call', { order, amount: TYPED }],
    async check(other, { url, order, isAcknowledged }) {
      const paid = await paidIn(url, order);
      assert.ok(paid.length === 1 || (paid.length === 0 && !isAcknowledged), `paid ${paid}`);
      assert.equal((await other.ask('call', { order, amount: FOREIGN })).status, 'parked');
      assert.deepEqual(await paidIn(url, order), paid);
    },
  },
};

export const faults = Object.fromEntries(
  Object.entries(WORK).map(([name, work]) => [
    `${name}, killed at each statement: for the other process it happened whole or not at all, and nothing ran unvouched`,
    (environment) => killedAtStatements(environment, work),
  ]),
);

/** The processes take turns: the one that answered is killed at the next statement. */
async function killedAtStatements(environment, { settings, prepare, step, check }) {
  const url = await environment.database();
  await makeEffects(url);
  const start = () => started(environment, { url, settings });
  let [one, other] = await Promise.all([start(), start()]);
  for (let statements = 0, isAcknowledged = false; !isAcknowledged; statements++) {
    const order = `order-${statements}`;
    await prepare?.(other, order);
    isAcknowledged = (await one.ask(...step(order), { killAfterStatements: statements })) !== null;
    await one.kill();
    const stored = await storedOf(url, order);
    await check(other, { url, order, stored, isAcknowledged });
    if (isAcknowledged) assert.ok(statements >= 2, `completed after only ${statements} statements`);
    [one, other] = [other, await start()];
  }
}

async function started(environment, options) {
  const instance = environment.child(options, SCRIPT);
  assert.equal(await instance.nextAnswer(), 'ready');
  return instance;
}

async function storedOf(url, order) {
  const [run] = await query(
    url,
    `select label, hashes <> '' as vouches from guardrails_runs where run_id = $1`,
    [order],
  );
  return run ?? { label: null, vouches: false };
}

function waitingIn(url, order) {
  return query(
    url,
    `select a.id::int, (select array_agg(r ->> 'name') from jsonb_array_elements(a.risk::jsonb) r) as risk,
       (select count(*)::int from guardrails_audit_evidence e where e.run_id = a.run_id and e.control = 'hitl') as entries
     from guardrails_approvals a where run_id = $1 and status = 'pending'`,
    [order],
  );
}

async function paidIn(url, order) {
  return (await query(url, 'select amount from effects where key = $1', [order])).map(({ amount }) => amount);
}
