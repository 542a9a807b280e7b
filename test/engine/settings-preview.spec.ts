import { describe, expect, it } from '@jest/globals';
import { decide, parkedCall } from '../support/approvals.js';
import { bench, refundTool } from '../support/engine.js';

const OPS = { actorId: 'ops-1', requestId: null, ifMatch: null };

describe('a preview of settings names the pending approvals that a change supersedes', () => {
  const settings = {
    'hitl.enabled': true,
    'hitl.policies_overridable': true,
    'hitl.destructive_tools': ['refund', 'mail'],
  };
  const [refund, mail] = [refundTool(), refundTool({ name: 'mail' })];

  it('lists pending approvals of one tool for a policy change, and all for a setting of every tool', async () => {
    const { engine } = await bench(settings, { tools: [refund, mail] });
    const { approvalId: refundId } = await parkedCall(engine, refund);
    const { approvalId: mailId } = await parkedCall(engine, mail);
    const supersededBy = async (changes: object): Promise<object> =>
      (await engine.settingsPreview.run({ ...changes })).superseded;

    const ofMail = { count: 1, approvals: [{ approval_id: mailId, tool: 'mail' }] };
    const policies = { mail: { rules: [{ require: 'approval' }] } };
    expect(await supersededBy({ 'hitl.policies': policies })).toEqual(ofMail);
    expect(await supersededBy({ 'tool_firewall.owner_keys': ['owner'] })).toEqual({
      count: 2,
      approvals: [
        { approval_id: mailId, tool: 'mail' },
        { approval_id: refundId, tool: 'refund' },
      ],
    });
    expect(await supersededBy({ 'modes.output_handler': 'off' })).toEqual({ count: 0, approvals: [] });
  });

  it('lists each approval once', async () => {
    const { engine, stores } = await bench(settings, { tools: [refund] });
    const { approvalId } = await parkedCall(engine, refund);
    const changes = { 'tool_firewall.owner_keys': ['owner'] };
    expect((await engine.settingsPreview.run(changes)).superseded.count).toBe(1);
    await engine.settings.update(changes, OPS);
    const waiting = await stores.approvals.find(approvalId);
    if (waiting === null) throw new Error('The approval was not stored.');
    const again = await engine.settingsPreview.run({ 'tool_firewall.owner_keys': ['other'] });
    expect(again.superseded.count).toBe(0);
    await expect(decide(engine, waiting)).rejects.toMatchObject({ code: 'superseded' });
  });

  it('counts all of them, page by page', async () => {
    const { engine } = await bench({ ...settings, 'hitl.max_open_per_principal': 1000 }, { tools: [refund] });
    for (let order = 0; order < 101; order++) await parkedCall(engine, refund, { order: String(order) });
    const { superseded } = await engine.settingsPreview.run({ 'tool_firewall.owner_keys': ['owner'] });
    expect(superseded.count).toBe(101);
    expect(superseded.approvals).toHaveLength(100);
  });
});
