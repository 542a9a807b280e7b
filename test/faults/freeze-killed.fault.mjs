import assert from 'node:assert/strict';
import { fileURLToPath } from 'node:url';
import { query } from './fault-environment.mjs';
import { makeEffects } from './paying-tool.mjs';

const SCRIPT = fileURLToPath(new URL('./policy-instance.mjs', import.meta.url));

const ALLOWING = {
  'hitl.policies': { refund: { rules: [{ when: {}, require: 'allow' }], limits: [] } },
};

/** The process that freezes or lifts is killed at each statement; the other one is asked what its calls do. */
export const faults = {
  async 'a process killed at each statement of a freeze and of a lift: the other process sees it whole, or not at all'(
    environment,
  ) {
    const url = await environment.database();
    await makeEffects(url);
    const other = await started(environment, url);
    const [freezing, lifting] = [
      await killedAtStatements(environment, { url, other, isFrozen: true }),
      await killedAtStatements(environment, { url, other, isFrozen: false }),
    ];
    assert.ok(freezing >= 3 && lifting >= 3, `completed after ${freezing} and ${lifting} statements`);
  },
};

/** Brings the tool into the state of `isFrozen`. Returns the statement whose process was not killed any more. */
async function killedAtStatements(environment, { url, other, isFrozen }) {
  for (let statements = 0; ; statements++) {
    assert.equal(await stateOf(url), !isFrozen);
    const one = await started(environment, url);
    const answer = await one.ask(isFrozen ? 'freeze' : 'lift', {}, { killAfterStatements: statements });
    await one.kill();
    const isStored = (await stateOf(url)) === isFrozen;
    assert.ok(isStored || answer === null, 'an acknowledged change is lost');
    const expected = isFrozen === isStored ? 'refused' : 'executed';
    await other.ask('refresh');
    const before = await paid(url);
    assert.equal(await callOf(other), expected);
    assert.equal(await paid(url), before + (expected === 'executed' ? 1 : 0));
    if (answer !== null) return statements;
    if (isStored) await other.ask(isFrozen ? 'lift' : 'freeze', {});
  }
}

async function started(environment, url) {
  const instance = environment.child({ url, settings: ALLOWING }, SCRIPT);
  assert.equal(await instance.nextAnswer(), 'ready');
  return instance;
}

async function callOf(instance) {
  return (await instance.ask('call', { order: 'order-1', amount: 7 })).status;
}

/** Whether a freeze is in force. Each row has the record of its change. */
async function stateOf(url) {
  const rows = await query(
    url,
    `select setting.value::jsonb ->> 'lifted_at' is null as "isFrozen",
       (select new_value from guardrails_setting_changes c where c.key = setting.key order by c.id desc limit 1) as recorded,
       setting.value
     from guardrails_settings setting where setting.key like 'freeze.%'`,
  );
  for (const { value, recorded } of rows) assert.deepEqual(JSON.parse(recorded), JSON.parse(value));
  return rows.some(({ isFrozen }) => isFrozen);
}

async function paid(url) {
  return (await query(url, 'select 1 from effects')).length;
}
