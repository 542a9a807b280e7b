import { describe, expect, it } from '@jest/globals';
import { ApproverGroups } from '#contracts/approvals/approvals.js';
import type { Tool } from '#contracts/firewall/firewall.js';
import { memoryStores } from '#stores/memory/memory-stores.js';
import { describeQuorum } from '../stores/quorum.suite.js';
import { parkedCall } from '../support/approvals.js';
import { bench, refundTool, type Bench } from '../support/engine.js';

describeQuorum('memory', async () => memoryStores());

const ARGS = { order: 'A-1', amount: 200 };
const OPS = { actorId: 'ops-1', requestId: null, ifMatch: null };
const approvalOf = (group: string) => ({ rules: [{ require: 'approval', group }] });

class Everybody extends ApproverGroups {
  override isMember(): boolean {
    return true;
  }
}

/** An instance on which the code of the tool requires something as well. */
const withCode = (policy: object, approval: NonNullable<Tool['approval']>): Promise<Bench> =>
  bench(
    { 'hitl.enabled': true, 'hitl.destructive_tools': [], 'hitl.policies': { refund: policy } },
    { tools: [refundTool({ approval })], approverGroups: new Everybody() },
  );

async function edited({ engine }: Bench, amount: number) {
  const { approvalId } = await parkedCall(engine, refundTool(), ARGS);
  const edit = { arguments: { ...ARGS, amount }, actor: 'editor', reason: 'checked' };
  return engine.approvals.propose(approvalId, edit);
}

describe('an edited call', () => {
  it('needs what the code of its tool requires', async () => {
    const setup = await withCode({ rules: [{ require: 'approval' }] }, ({ amount }) =>
      Number(amount) > 300 ? { require: 'approval', approvers: 3 } : null,
    );
    expect((await edited(setup, 100)).requirement).toMatchObject({ rule: 1, approvers: 1 });
    expect((await edited(setup, 400)).requirement).toMatchObject({ rule: 1, approvers: 3 });
  });

  it('is refused where the code of its tool denies it or fails', async () => {
    const rules = [
      { when: { '/amount': { lt: 1000 } }, require: 'approval' },
      { when: { '/amount': { gt: 5000 } }, require: 'deny' },
    ];
    const setup = await withCode({ rules }, ({ amount }) => {
      if (amount === 7) throw new Error('down');
      return amount === 8 ? { require: 'deny' } : null;
    });
    for (const amount of [7, 8])
      await expect(edited(setup, amount)).rejects.toMatchObject({ code: 'invalid_body' });
  });

  it('is refused where another group than that of the call would have to decide', async () => {
    const rules = [
      { when: { '/amount': { gte: 100 } }, require: 'approval', group: 'finance' },
      { require: 'approval', group: 'legal' },
    ];
    const setup = await withCode({ rules }, () => null);
    await expect(edited(setup, 50)).rejects.toMatchObject({
      code: 'invalid_body',
      fields: { arguments: [expect.stringContaining('another group')] },
    });
    expect((await edited(setup, 150)).requirement.group).toBe('finance');
  });

  it('is refused where its limits cannot be read', async () => {
    const limits = [{ count: true, lte: 5, per: 'day' }];
    const setup = await withCode({ rules: [{ require: 'approval' }], limits }, () => null);
    const { approvalId } = await parkedCall(setup.engine, refundTool(), ARGS);
    setup.stores.budgets.states = () => Promise.reject(new Error('away'));
    const edit = { arguments: { ...ARGS, amount: 1 }, actor: 'editor', reason: 'checked' };
    await expect(setup.engine.approvals.propose(approvalId, edit)).rejects.toMatchObject({
      code: 'store_unavailable',
    });
    expect((await setup.stores.approvals.find(approvalId))?.status).toBe('pending');
  });
});

describe('a policy that names a group without controls.approverGroups', () => {
  const words = /names the approver group "finance".*controls: \{ approverGroups/;

  it('does not start', async () => {
    const starting = bench({ 'hitl.policies': { refund: approvalOf('finance') } });
    await expect(starting).rejects.toThrow(words);
  });

  it('is refused in an update of the settings, which changes nothing', async () => {
    const { engine } = await bench({ 'hitl.policies_overridable': true });
    const update = { 'hitl.policies': { refund: approvalOf('finance') } };
    await expect(engine.settings.update(update, OPS)).rejects.toMatchObject({
      code: 'invalid_settings',
      fields: { 'hitl.policies': [expect.stringMatching(words)] },
    });
    expect(engine.settings.current().revision).toBe(0);
    const grouped = await bench({ 'hitl.policies_overridable': true }, { approverGroups: new Everybody() });
    expect((await grouped.engine.settings.update(update, OPS)).changed).toEqual(['hitl.policies.refund']);
  });
});

describe('a call that can never get its approvals', () => {
  /** Without an owner key, so that a call without a principal passes the firewall. */
  const parameters = {
    type: 'object',
    properties: { order: { type: 'string' }, amount: { type: 'number' } },
  };
  const waiting = async ({ stores }: Bench) => (await stores.approvals.pending({ limit: 9 })).entries;

  async function refusal(setup: Bench, tool: Tool, context: object): Promise<string> {
    const outcome = await setup.engine.guardrails.guardTool(tool, context).execute(ARGS);
    if (outcome.status !== 'refused') throw new Error(`it is ${outcome.status}`);
    const { entries } = await setup.stores.firewall.list({}, { limit: 1 });
    expect(entries[0]?.violations).toEqual(outcome.violations);
    expect([outcome.reason, await waiting(setup)]).toEqual(['unavailable', []]);
    return outcome.violations['(approval)'] ?? '';
  }

  it('is refused where only its code names a group, without controls.approverGroups', async () => {
    const tool = refundTool({ approval: () => ({ require: 'approval', group: 'finance' }) });
    const settings = { 'hitl.enabled': true };
    const ungrouped = await bench(settings, { tools: [tool] });
    expect(await refusal(ungrouped, tool, { principalId: 'customer-42' })).toMatch(
      /members of the group "finance" cannot be determined: write controls: \{ approverGroups/,
    );
    const grouped = await bench(settings, { tools: [tool], approverGroups: new Everybody() });
    await parkedCall(grouped.engine, tool, ARGS, { principalId: 'customer-42' });
    expect(await waiting(grouped)).toHaveLength(1);
  });

  it.each([{}, { principalId: '' }, { principalId: ' ' }])(
    'is refused where several approvers are needed and the requester is %j',
    async (context) => {
      const tool = refundTool({ parameters });
      for (const fallback of ['deny', 'pass']) {
        const rules = [{ require: 'approval', approvers: 2 }];
        const setup = await bench(
          { 'hitl.enabled': true, 'hitl.fallback': fallback, 'hitl.policies': { refund: { rules } } },
          { tools: [tool] },
        );
        expect(await refusal(setup, tool, context)).toMatch(/requester is unknown.*pass a `principalId`/);
      }
      expect(tool.calls).toEqual([]);
    },
  );

  it('cannot replace a call that one approver can decide', async () => {
    const rules = [
      { when: { '/amount': { lte: 300 } }, require: 'approval' },
      { require: 'approval', approvers: 2 },
    ];
    const tool = refundTool({ parameters });
    const setup = await bench(
      { 'hitl.enabled': true, 'hitl.policies': { refund: { rules } } },
      { tools: [tool] },
    );
    const { approvalId } = await parkedCall(setup.engine, tool, ARGS, { runId: 'run-1' });
    const edit = { arguments: { ...ARGS, amount: 400 }, actor: 'editor', reason: 'checked' };
    await expect(setup.engine.approvals.propose(approvalId, edit)).rejects.toMatchObject({
      code: 'invalid_body',
      fields: { arguments: [expect.stringMatching(/requester is unknown/)] },
    });
    expect(await waiting(setup)).toMatchObject([{ id: approvalId, status: 'pending' }]);
  });
});
