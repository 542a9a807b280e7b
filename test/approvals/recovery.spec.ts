import { beforeEach, describe, expect, it } from '@jest/globals';
import type { ApprovalStore } from '#contracts/stores/approvals.store.js';
import type { Tool } from '#contracts/firewall/firewall.js';
import type { StoreBackend } from '#contracts/stores/store-backend.js';
import type { EngineOptions } from '#engine/start/engine-options.js';
import { approvalEvidence } from '#stores/contract/builders.js';
import { memoryStores } from '#stores/memory/memory-stores.js';
import { SetClock } from '../http/support/set-clock.js';
import {
  changing,
  decide,
  storesDyingAt,
  parkedCall,
  recovered,
  recordWarnings,
  statusOf,
} from '../support/approvals.js';
import { watchedStores } from '../support/watched-stores.mjs';
import { bench, refundTool, type Bench } from '../support/engine.js';

const LEASE_MS = 30_000;
const UNRUN_MS = 10_000;
const TTL_MS = 3_600_000;

let clock: SetClock;
let stores: StoreBackend;

beforeEach(() => {
  clock = new SetClock();
  stores = memoryStores({ clock });
});

const instance = (tools: readonly Tool[], options: Partial<EngineOptions> = {}): Promise<Bench> =>
  bench({ 'hitl.enabled': true }, { stores, clock, tools, ...options });

/** Approves on an instance that stops at this step, and advances the clock. */
async function approvedAndDead(tool: Tool, step: string, after: number) {
  const dying = await instance([tool], { stores: storesDyingAt(stores, step) });
  const parked = await parkedCall(dying.engine, tool);
  await expect(decide(dying.engine, parked)).rejects.toThrow('it died');
  clock.advance(after);
  return parked;
}

describe('an approval of a dead instance', () => {
  it('runs on another instance where it was approved and not started', async () => {
    const [dead, alive] = [refundTool(), refundTool()];
    const parked = await approvedAndDead(dead, 'committed approved', UNRUN_MS);
    const { engine, log } = await instance([alive]);
    await recovered(engine);
    expect([dead.calls, alive.calls]).toEqual([[], [{ order: 'A-1182', customer_id: 'customer-42' }]]);
    expect(await stores.approvals.find(parked.approvalId)).toMatchObject({
      status: 'executed',
      decidedBy: 'ops-1',
      result: { refunded: 'A-1182' },
    });
    expect(log.names).toEqual(['guardrails.approval.executed']);
    await recovered(engine);
    expect(alive.calls).toHaveLength(1);
  });

  it('is left to the deciding instance while that instance may still start it', async () => {
    const alive = refundTool();
    const parked = await approvedAndDead(refundTool(), 'committed approved', UNRUN_MS - 1);
    const { engine } = await instance([alive]);
    await recovered(engine);
    expect([alive.calls, await statusOf(stores, parked)]).toEqual([[], 'approved']);
  });

  it.each(['claimed', 'returned', 'committing executed'] as const)(
    'has an unknown outcome where the instance ended as %s, and does not run twice',
    async (step) => {
      const [dead, alive] = [refundTool(), refundTool()];
      const parked = await approvedAndDead(dead, step, LEASE_MS);
      const { engine, log } = await instance([alive]);
      await recovered(engine);
      await recovered(engine);
      expect(dead.calls.length + alive.calls.length).toBe(step === 'claimed' ? 0 : 1);
      expect(await stores.approvals.find(parked.approvalId)).toMatchObject({
        status: 'outcome_unknown',
        error: { code: 'interrupted' },
      });
      expect(log.names).toEqual(['guardrails.approval.outcome_unknown']);
      const rows = (await stores.audit.list({ control: 'hitl' }, { limit: 10 })).entries;
      expect(rows).toHaveLength(3);
    },
  );

  it('keeps its result where the instance ended after the commit', async () => {
    const dead = refundTool();
    const parked = await approvedAndDead(dead, 'committed executed', LEASE_MS);
    const { engine } = await instance([refundTool()]);
    await recovered(engine);
    expect([dead.calls.length, await statusOf(stores, parked)]).toEqual([1, 'executed']);
  });

  it('is not recovered before its lease expires', async () => {
    const parked = await approvedAndDead(refundTool(), 'claimed', LEASE_MS - 1);
    const { engine } = await instance([refundTool()]);
    await recovered(engine);
    expect(await statusOf(stores, parked)).toBe('executing');
  });

  it('runs again where the tool is idempotent, with the same key', async () => {
    const keys: unknown[] = [];
    const tool = refundTool({
      idempotent: true,
      execute: (_args, { idempotencyKey }) => void keys.push(idempotencyKey),
    });
    const parked = await approvedAndDead(tool, 'returned', LEASE_MS);
    const { engine } = await instance([tool]);
    await recovered(engine);
    expect(keys).toEqual([parked.reference, parked.reference]);
    expect(await stores.approvals.find(parked.approvalId)).toMatchObject({ status: 'executed', fence: 2 });
  });

  it('does not run again unless the tool is idempotent now and was when it was parked', async () => {
    for (const [then, now] of [
      [false, true],
      [true, false],
    ]) {
      const [dead, alive] = [refundTool({ idempotent: then }), refundTool({ idempotent: now })];
      const parked = await approvedAndDead(dead, 'returned', LEASE_MS);
      const { engine } = await instance([alive]);
      await recovered(engine);
      expect([alive.calls, await statusOf(stores, parked)]).toEqual([[], 'outcome_unknown']);
    }
  });

  it('runs at most three times, even if idempotent', async () => {
    const tool = refundTool({ idempotent: true });
    const parked = await approvedAndDead(tool, 'returned', LEASE_MS);
    for (let round = 0; round < 5; round++) {
      const { engine } = await instance([tool], { stores: storesDyingAt(stores, 'returned') });
      await recovered(engine);
      clock.advance(LEASE_MS);
    }
    expect([tool.calls.length, await statusOf(stores, parked)]).toEqual([3, 'outcome_unknown']);
  });

  it('is skipped where this instance does not have the tool', async () => {
    const parked = await approvedAndDead(refundTool(), 'committed approved', UNRUN_MS);
    const lost = await approvedAndDead(refundTool({ idempotent: true }), 'claimed', LEASE_MS);
    const { engine } = await instance([]);
    await recovered(engine);
    expect(await statusOf(stores, parked)).toBe('approved');
    expect(await statusOf(stores, lost)).toBe('executing');
    clock.advance(600_000);
    await recovered(engine);
    expect(await statusOf(stores, lost)).toBe('outcome_unknown');
  });

  it('is superseded, with a reason, where no instance could run it within hitl.ttl', async () => {
    const parked = await approvedAndDead(refundTool(), 'committed approved', TTL_MS - 1);
    const { engine, log } = await instance([]);
    const outcome = engine.guardrails.approvalOutcome(parked.approvalId);
    await recovered(engine);
    expect(await statusOf(stores, parked)).toBe('approved');
    clock.advance(1);
    await recovered(engine);
    expect(await outcome).toMatchObject({ status: 'superseded', error: { code: 'not_run_in_time' } });
    expect(log.names).toEqual(['guardrails.approval.superseded']);
    const rows = (await stores.audit.list({ control: 'hitl' }, { limit: 10 })).entries;
    expect(rows).toHaveLength(3);
    await expect(decide(engine, parked)).rejects.toMatchObject({
      code: 'superseded',
      message: expect.stringContaining('hitl.ttl'),
    });
  });

  it('is logged once while its tool is not registered', async () => {
    await approvedAndDead(refundTool(), 'committed approved', UNRUN_MS);
    const { diagnostics, warnings } = recordWarnings();
    const { engine } = await instance([], { diagnostics });
    await recovered(engine);
    await recovered(engine);
    expect(warnings).toEqual([expect.stringContaining('waits for an instance that has its tool')]);
  });

  it('does not run after hitl.ttl, although the bridge was off', async () => {
    const tool = refundTool();
    const parked = await approvedAndDead(tool, 'committed approved', TTL_MS);
    const { engine } = await bench({ 'hitl.enabled': false }, { stores, clock, tools: [tool] });
    await recovered(engine);
    await recovered((await instance([tool])).engine);
    expect([tool.calls, await statusOf(stores, parked)]).toEqual([[], 'superseded']);
  });

  it('does not run where the check was in time and the claim is late', async () => {
    const tool = refundTool();
    const parked = await approvedAndDead(tool, 'committed approved', UNRUN_MS);
    const { engine } = await instance([tool], {
      stores: watchedStores(stores, (step) => step === 'checked' && clock.advance(TTL_MS)),
    });
    await recovered(engine);
    expect([tool.calls, await statusOf(stores, parked)]).toEqual([[], 'approved']);
  });

  it('is superseded where its row changes between the checks and the run', async () => {
    const tool = refundTool();
    const parked = await approvedAndDead(tool, 'committed approved', UNRUN_MS);
    const backend = changing(
      stores,
      'claim',
      (claim) => (id, command) =>
        claim(id, {
          ...command,
          objection: (approval) => command.objection({ ...approval, arguments: { order: 'B-1' } }),
        }),
    );
    const { engine, log } = await instance([tool], { stores: backend });
    await recovered(engine);
    expect(await stores.approvals.find(parked.approvalId)).toMatchObject({ status: 'superseded', fence: 0 });
    expect([tool.calls, log.names]).toEqual([[], ['guardrails.approval.superseded']]);
  });

  it('does not delay others where its tool is slow; ten run at a time', async () => {
    let [running, most, ended] = [0, 0, 0];
    let letGo!: () => void;
    const gate = new Promise<void>((resolve) => (letGo = resolve));
    const slow = refundTool({
      execute: async () => {
        most = Math.max(most, ++running);
        await gate;
        running -= 1;
        ended += 1;
      },
    });
    const dying = await instance([slow], { stores: storesDyingAt(stores, 'committed approved') });
    for (let count = 0; count < 12; count++) {
      await expect(decide(dying.engine, await parkedCall(dying.engine, slow))).rejects.toThrow('it died');
    }
    clock.advance(UNRUN_MS);
    const { engine } = await instance([slow]);
    const overdue = await parkedCall(engine, slow);
    await engine.recovery.recover();
    clock.advance(TTL_MS - 1);
    await engine.recovery.recover();
    expect(await statusOf(stores, overdue)).toBe('pending');
    clock.advance(1);
    await engine.recovery.recover();
    expect([most, ended, await statusOf(stores, overdue)]).toEqual([10, 0, 'expired']);
    letGo();
    await engine.recovery.idle();
    expect(most).toBe(10);
  });

  it('is recovered although another one cannot be read, and that is logged', async () => {
    const tool = refundTool();
    const unreadable = await approvedAndDead(tool, 'committed approved', 0);
    await approvedAndDead(tool, 'committed approved', UNRUN_MS);
    const { diagnostics, warnings } = recordWarnings();
    const backend = changing(stores, 'find', (find) => async (id) => {
      if (id === unreadable.approvalId) throw new SyntaxError('Unexpected token in "a secret of the row"');
      return find(id);
    });
    const { engine } = await instance([tool], { stores: backend, diagnostics });
    await recovered(engine);
    expect(tool.calls).toHaveLength(1);
    expect(warnings).toEqual([expect.stringContaining('could not be recovered')]);
    expect(warnings.join()).not.toContain('secret');
  });

  it('is not recovered by the instance that runs it', async () => {
    let letGo!: () => void;
    const gate = new Promise<void>((resolve) => (letGo = resolve));
    const tool = refundTool({ execute: () => gate });
    const { engine } = await instance([tool]);
    const parked = await parkedCall(engine, tool);
    const decided = decide(engine, parked);
    while ((await statusOf(stores, parked)) !== 'executing') await new Promise(setImmediate);
    clock.advance(LEASE_MS);
    await recovered(engine);
    letGo();
    expect((await decided).status).toBe('executed');
  });

  it('is superseded where the policy changed', async () => {
    const tool = refundTool();
    const parked = await approvedAndDead(tool, 'committed approved', UNRUN_MS);
    const { engine } = await bench(
      { 'hitl.enabled': true, 'tool_firewall.owner_keys': ['owner_id'] },
      { stores, clock, tools: [tool] },
    );
    await recovered(engine);
    expect([tool.calls, await statusOf(stores, parked)]).toEqual([[], 'superseded']);
  });

  it('does not run while the bridge is off', async () => {
    const tool = refundTool();
    const parked = await approvedAndDead(tool, 'committed approved', UNRUN_MS);
    const { engine } = await bench({ 'hitl.enabled': false }, { stores, clock, tools: [tool] });
    await recovered(engine);
    expect([tool.calls, await statusOf(stores, parked)]).toEqual([[], 'approved']);
  });

  it('does not run without a valid MAC', async () => {
    const tool = refundTool();
    const { engine } = await instance([tool]);
    const parked = await parkedCall(engine, tool);
    const { tokenHash = '' } = (await stores.approvals.find(parked.approvalId)) ?? {};
    const forged: Parameters<ApprovalStore['decide']>[1] = {
      verdict: 'approved',
      actorId: 'ops-1',
      reason: null,
      decisionMac: 'forged',
      evidence: approvalEvidence,
    };
    await stores.approvals.decide(tokenHash, forged);
    clock.advance(UNRUN_MS);
    await recovered(engine);
    expect([tool.calls, await statusOf(stores, parked)]).toEqual([[], 'superseded']);
  });

  it('expires where it was not decided in time', async () => {
    const { engine, log } = await instance([refundTool()]);
    const parked = await parkedCall(engine, refundTool());
    clock.advance(3_600_000);
    await recovered(engine);
    expect(await statusOf(stores, parked)).toBe('expired');
    expect(log.names.at(-1)).toBe('guardrails.approval.expired');
  });

  it('is recovered page by page, although one of them fails', async () => {
    const tool = refundTool();
    const dying = await instance([tool], { stores: storesDyingAt(stores, 'committed approved') });
    for (let count = 0; count < 25; count++) {
      const parked = await parkedCall(dying.engine, tool);
      await expect(decide(dying.engine, parked)).rejects.toThrow('it died');
    }
    clock.advance(UNRUN_MS);
    const { engine } = await instance([tool], {
      stores: watchedStores(stores, (step, id) => {
        if (step === 'checked' && id === 12) throw new Error('not this one');
      }),
    });
    await recovered(engine);
    expect(tool.calls).toHaveLength(24);
  });
});

describe('an unknown outcome', () => {
  const settler = { actorId: 'ops-2', reason: 'the bank says so' };

  it('is resolved by an operator, once, and published', async () => {
    const parked = await approvedAndDead(refundTool(), 'claimed', LEASE_MS);
    const { engine, log } = await instance([]);
    await recovered(engine);
    const approvals = engine.approvalService;
    const settled = await approvals.resolve(parked.approvalId, 'executed', settler);
    expect(settled).toMatchObject({ status: 'executed', resolvedBy: 'ops-2', error: null });
    expect(log.events.at(-1)).toMatchObject({
      name: 'guardrails.approval.executed',
      facts: { actorId: 'ops-2', approvalId: parked.approvalId },
    });
    expect(await approvals.resolve(parked.approvalId, 'executed', settler)).toEqual(settled);
    await expect(approvals.resolve(parked.approvalId, 'failed', settler)).rejects.toMatchObject({
      code: 'already_decided',
      details: { resolved_by: 'ops-2' },
    });
    expect(log.names.filter((name) => name === 'guardrails.approval.executed')).toHaveLength(1);
  });

  it('is the only status that can be resolved', async () => {
    const { engine } = await instance([refundTool()]);
    const parked = await parkedCall(engine, refundTool());
    const resolve = (id: number): Promise<unknown> => engine.approvalService.resolve(id, 'failed', settler);
    await expect(resolve(parked.approvalId)).rejects.toMatchObject({ code: 'executing' });
    await decide(engine, parked, 'rejected');
    await expect(resolve(parked.approvalId)).rejects.toMatchObject({ code: 'already_decided' });
    await expect(resolve(999)).rejects.toMatchObject({ code: 'not_found' });
  });
});
