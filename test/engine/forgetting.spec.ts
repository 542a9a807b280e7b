import { describe, expect, it } from '@jest/globals';
import type { RetentionScope } from '#contracts/retention/retention.js';
import { memoryStores } from '#stores/memory/memory-stores.js';
import { bench, refundTool } from '../support/engine.js';

const SCOPE: RetentionScope = { kind: 'principal', principalId: 'customer-42' };

/** Parks a call, then erases its principal. */
async function parkedAndErased() {
  const tool = refundTool();
  const stores = memoryStores();
  const { engine } = await bench({ 'hitl.enabled': true }, { tools: [tool], stores });
  const guarded = engine.guardrails.guardTool(tool, { principalId: 'customer-42' });
  expect(await guarded.execute({ order: 'A-1182' })).toMatchObject({ status: 'parked' });
  const [parked] = (await stores.approvals.pending({ limit: 1 })).entries;
  await engine.retention.apply({ strategy: 'anonymize', scope: SCOPE, actorId: 'ops-1' });
  const decide = (verdict: 'approved' | 'rejected') =>
    engine.approvalService.decide(engine.approvalService.tokenOf(parked!) ?? '', verdict, {
      actorId: 'ops-1',
      reason: null,
    });
  return { tool, decide };
}

describe('a parked call whose principal was erased', () => {
  it('never runs, even if approved', async () => {
    const { tool, decide } = await parkedAndErased();
    await expect(decide('approved')).rejects.toMatchObject({ code: 'superseded' });
    expect(tool.calls).toEqual([]);
  });

  it('can still be rejected', async () => {
    const { tool, decide } = await parkedAndErased();
    expect(await decide('rejected')).toMatchObject({ status: 'rejected', arguments: null });
    expect(tool.calls).toEqual([]);
  });
});
