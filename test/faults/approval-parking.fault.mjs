import assert from 'node:assert/strict';
import { APPROVING, makeEffects, payingTool } from './paying-tool.mjs';
import { query } from './fault-environment.mjs';

const CALLS = 100;
const MAX_OPEN = 20;
const SLOW_STORES = { statementTimeoutMs: 30_000, poolSize: 60 };

export const faults = {
  async 'a hundred calls of one principal on two instances at the same time: the allowed number is parked, the others are refused'(
    environment,
  ) {
    const { url, ask } = await twoInstances(environment);
    const outcomes = await Promise.all(
      Array.from({ length: CALLS }, (_, index) => ask(index, { runId: 'run' })),
    );
    const waiting = outcomes.filter(({ status }) => status === 'parked');
    const others = outcomes.filter(({ status }) => status !== 'parked');
    assert.equal(waiting.length, MAX_OPEN);
    for (const { reason, violations } of others)
      assert.match(`${reason}: ${violations['(approval)']}`, /^unavailable: .*too many calls/);
    assert.deepEqual(await counts(url), [MAX_OPEN, MAX_OPEN]);
  },

  async 'the same call of a run, a hundred times on two instances at once, is one approval'(environment) {
    const { url, engines, ask } = await twoInstances(environment);
    const same = () =>
      Promise.all(Array.from({ length: CALLS }, (_, index) => ask(index, { amount: 7, runId: 'run' })));
    const asked = await same();
    assert.equal(new Set(asked.map(({ parked }) => parked?.approvalId)).size, 1);
    assert.deepEqual(await counts(url), [1, 1]);
    const token = engines[0].approvalService.tokenOf(asked[0].parked);
    const decided = await engines[1].approvalService.decide(token, 'approved', {
      actorId: 'ops-1',
      reason: null,
    });
    assert.equal(decided.status, 'executed');
    const again = await same();
    assert.deepEqual([...new Set(again.map(({ parked }) => parked?.approvalId))], [decided.id]);
    assert.equal((await query(url, 'select 1 from effects')).length, 1);
  },
};

async function twoInstances(environment) {
  const url = await environment.database();
  await makeEffects(url);
  const tools = [payingTool({ url })];
  const settings = { ...APPROVING, 'hitl.max_open_per_principal': MAX_OPEN };
  const options = { settings, tools, stores: SLOW_STORES };
  const engines = [await environment.engine(url, options), await environment.engine(url, options)];
  const ask = (index, { amount = index, runId }) =>
    engines[index % 2].guardrails
      .guardTool(tools[0], { principalId: 'customer-42', runId })
      .execute({ amount });
  return { url, engines, ask };
}

/** The number of approvals, and of evidence rows about them. */
async function counts(url) {
  const [{ approvals, evidence }] = await query(
    url,
    `select (select count(*)::int from guardrails_approvals) as approvals,
       (select count(*)::int from guardrails_audit_evidence where control = 'hitl') as evidence`,
  );
  return [approvals, evidence];
}
