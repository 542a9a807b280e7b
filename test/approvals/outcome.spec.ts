import { beforeEach, describe, expect, it } from '@jest/globals';
import type { ApprovalOutcome } from '#contracts/approvals/approvals.js';
import { GuardrailsError } from '#contracts/common/errors.js';
import type { Tool } from '#contracts/firewall/firewall.js';
import type { StoreBackend } from '#contracts/stores/store-backend.js';
import { memoryStores } from '#stores/memory/memory-stores.js';
import { SetClock } from '../http/support/set-clock.js';
import {
  aRun,
  changing,
  decide,
  storesDyingAt,
  parkedCall,
  recovered,
  recordWarnings,
} from '../support/approvals.js';
import { bench, refundTool, type Bench } from '../support/engine.js';

const GRACE_MS = 5_000;
const TELLING_MS = 120_000;
const LIVED_ON_MS = 10_000;
const TTL_MS = 3_600_000;
const DAY_MS = 24 * TTL_MS;

let clock: SetClock;
let stores: StoreBackend;
let tool: Tool;
let here: Bench;
let there: Bench;

const instance = (): Promise<Bench> =>
  bench({ 'hitl.enabled': true }, { stores, clock, tools: [tool], maxStopMs: 200 });

beforeEach(async () => {
  clock = new SetClock();
  stores = memoryStores({ clock });
  tool = refundTool();
  [here, there] = [await instance(), await instance()];
});

describe('code that waits for the outcome of a parked call', () => {
  it('receives the outcome at once where this instance produced it', async () => {
    const parked = await parkedCall(here.engine, tool);
    const outcome = parked.outcome();
    await decide(here.engine, parked);
    expect(await outcome).toEqual({
      approvalId: parked.approvalId,
      firstApprovalId: parked.approvalId,
      reference: parked.reference,
      status: 'executed',
      tool: 'refund',
      runId: expect.stringMatching(/^run-/),
      stepName: 'refund',
      principalId: 'customer-42',
      application: null,
      result: { refunded: 'A-1182' },
      error: null,
      decidedBy: 'ops-1',
      reason: null,
      message: 'The call was approved and has run.',
    });
  });

  it.each([
    ['approved', 'executed'],
    ['rejected', 'rejected'],
  ] as const)('receives that the call was %s on another instance', async (verdict, status) => {
    const parked = await parkedCall(here.engine, tool);
    const outcome = parked.outcome();
    await decide(there.engine, parked, verdict);
    expect((await outcome).status).toBe(status);
  });

  it('receives that the call expired, without a recovery round', async () => {
    const parked = await parkedCall(here.engine, tool);
    const outcome = parked.outcome();
    clock.advance(TTL_MS);
    expect(await outcome).toMatchObject({ status: 'expired', decidedBy: null });
    expect(here.log.names.at(-1)).toBe('guardrails.approval.expired');
  });

  it('receives an earlier outcome, also repeatedly', async () => {
    const parked = await parkedCall(here.engine, tool);
    await decide(there.engine, parked);
    const { guardrails } = (await instance()).engine;
    for (const asked of [parked.outcome(), parked.outcome(), guardrails.approvalOutcome(parked.approvalId)]) {
      expect((await asked).status).toBe('executed');
    }
  });

  it('receives the reason of a rejection, in a message without a token', async () => {
    const parked = await parkedCall(here.engine, tool);
    const token = here.engine.approvalService.tokenOf(parked) ?? '';
    await here.engine.approvalService.decide(token, 'rejected', {
      actorId: 'ops-1',
      reason: 'not this month',
    });
    const outcome = await parked.outcome();
    expect(outcome.message).toBe('The call was rejected: not this month');
    expect(JSON.stringify([outcome, parked])).not.toContain(token);
  });

  it('can be aborted', async () => {
    const parked = await parkedCall(here.engine, tool);
    const aborted = new AbortController();
    const outcome = parked.outcome(aborted.signal);
    const reason = new Error('the customer left');
    aborted.abort(reason);
    await expect(outcome).rejects.toBe(reason);
    await expect(parked.outcome(AbortSignal.abort(reason))).rejects.toBe(reason);
  });

  it('is rejected when its instance stops, and for an unknown id', async () => {
    const parked = await parkedCall(here.engine, tool);
    const outcome = expect(parked.outcome()).rejects.toMatchObject({ code: 'hitl_unavailable' });
    await expect(here.engine.guardrails.approvalOutcome(999)).rejects.toMatchObject({ code: 'not_found' });
    await here.engine.stop();
    await outcome;
    await expect(parked.outcome()).rejects.toMatchObject({ code: 'hitl_unavailable' });
  });

  it('receives the outcome although the store was unavailable at first', async () => {
    let failures = 1;
    const flaky = changing(stores, 'find', (find) => async (id) => {
      if (failures-- > 0) throw GuardrailsError.storeUnavailable(new Error('away'));
      return find(id);
    });
    const { engine } = await bench({ 'hitl.enabled': true }, { stores: flaky, clock, tools: [tool] });
    const parked = await parkedCall(engine, tool);
    const outcome = parked.outcome();
    clock.advance(TTL_MS);
    expect((await outcome).status).toBe('expired');
    failures = 1;
    await expect(engine.guardrails.approvalOutcome(999)).rejects.toMatchObject({ code: 'not_found' });
  });

  it('is rejected where the row cannot be read, without delaying others', async () => {
    const parked = await parkedCall(here.engine, tool);
    const unreadable = await parkedCall(here.engine, tool);
    const backend = changing(stores, 'find', (find) => async (id) => {
      if (id === unreadable.approvalId) throw new SyntaxError('Unexpected token');
      return find(id);
    });
    const { engine } = await bench({ 'hitl.enabled': true }, { stores: backend, clock, tools: [tool] });
    const outcome = engine.guardrails.approvalOutcome(parked.approvalId);
    await expect(engine.guardrails.approvalOutcome(unreadable.approvalId)).rejects.toMatchObject({
      code: 'internal',
    });
    await decide(there.engine, parked);
    expect((await outcome).status).toBe('executed');
  });

  it('finds the first approval when the same step of a run is repeated', async () => {
    const context = aRun();
    const parked = await parkedCall(here.engine, tool, { order: 'A-1182' }, context);
    await decide(here.engine, parked);
    const again = await parkedCall((await instance()).engine, tool, { order: 'A-1182' }, context);
    expect(again.approvalId).toBe(parked.approvalId);
    expect(await again.outcome()).toMatchObject({ status: 'executed', result: { refunded: 'A-1182' } });
  });

  it('receives plain data that can be copied and serialized', async () => {
    const parked = await parkedCall(here.engine, tool);
    const { approvalId, reference, expiresAt } = parked;
    expect(structuredClone(parked)).toEqual({ approvalId, reference, expiresAt });
    expect(Object.keys(JSON.parse(JSON.stringify(parked)) as object)).toEqual([
      'approvalId',
      'reference',
      'expiresAt',
    ]);
  });
});

describe('a handler of outcomes', () => {
  const received: ApprovalOutcome[] = [];
  const statuses = (): readonly string[] => received.map(({ status }) => status);

  beforeEach(() => {
    received.length = 0;
  });

  /** Decides a call without waiting code, and advances the clock beyond the grace period. */
  async function decided(): Promise<number> {
    const parked = await parkedCall(here.engine, tool);
    await decide(here.engine, parked);
    clock.advance(GRACE_MS);
    return parked.approvalId;
  }

  it('receives once, on a restarted instance, an outcome without waiting code', async () => {
    const id = await decided();
    await here.engine.stop();
    const { engine } = await instance();
    engine.guardrails.onApprovalOutcome((outcome) => void received.push(outcome));
    await engine.outcomeNotifier.deliverDue();
    expect(received).toMatchObject([{ approvalId: id, status: 'executed', result: { refunded: 'A-1182' } }]);
    await engine.stop();
    clock.advance(TELLING_MS);
    const another = await instance();
    another.engine.guardrails.onApprovalOutcome((outcome) => void received.push(outcome));
    await another.engine.outcomeNotifier.deliverDue();
    expect(received).toHaveLength(1);
  });

  it('receives an outcome at once on the instance that decided', async () => {
    here.engine.guardrails.onApprovalOutcome((outcome) => void received.push(outcome));
    there.engine.guardrails.onApprovalOutcome(() => {
      throw new Error('not here');
    });
    await decide(here.engine, await parkedCall(here.engine, tool), 'rejected');
    await here.engine.outcomeNotifier.idle();
    expect(statuses()).toEqual(['rejected']);
  });

  it('receives an outcome of another instance at the next round, without a grace period', async () => {
    here.engine.guardrails.onApprovalOutcome((outcome) => void received.push(outcome));
    await decide(there.engine, await parkedCall(here.engine, tool), 'rejected');
    await here.engine.outcomeNotifier.deliverDue();
    expect(statuses()).toEqual(['rejected']);
  });

  it('does not receive an outcome at once that code on another instance waits for', async () => {
    there.engine.guardrails.onApprovalOutcome((each) => void received.push(each));
    const parked = await parkedCall(here.engine, tool);
    const outcome = parked.outcome();
    await decide(there.engine, parked);
    expect((await outcome).status).toBe('executed');
    await there.engine.outcomeNotifier.deliverDue();
    await there.engine.outcomeNotifier.idle();
    expect(received).toEqual([]);
  });

  it('receives an outcome at once after code ended its wait for it', async () => {
    here.engine.guardrails.onApprovalOutcome((each) => void received.push(each));
    const parked = await parkedCall(here.engine, tool);
    const wait = new AbortController();
    const outcome = parked.outcome(wait.signal);
    wait.abort(new Error('enough'));
    await expect(outcome).rejects.toThrow('enough');
    await decide(here.engine, parked);
    await here.engine.outcomeNotifier.idle();
    expect(statuses()).toEqual(['executed']);
  });

  it('does not receive outcomes that waiting code has received or still may receive', async () => {
    const parked = await parkedCall(here.engine, tool);
    const outcome = parked.outcome();
    await decide(there.engine, parked);
    there.engine.guardrails.onApprovalOutcome((each) => void received.push(each));
    await there.engine.outcomeNotifier.deliverDue();
    await outcome;
    clock.advance(GRACE_MS);
    await there.engine.outcomeNotifier.deliverDue();
    expect(received).toEqual([]);
  });

  it('receives the outcome when the process of the waiting code ended right after it', async () => {
    const parked = await parkedCall(here.engine, tool);
    const outcome = parked.outcome();
    await decide(here.engine, parked);
    await outcome;
    there.engine.guardrails.onApprovalOutcome((each) => void received.push(each));
    clock.advance(TELLING_MS - 1);
    await there.engine.outcomeNotifier.deliverDue();
    expect(received).toEqual([]);
    clock.advance(1);
    await there.engine.outcomeNotifier.deliverDue();
    expect(statuses()).toEqual(['executed']);
  });

  it('does not receive the outcome when the waiting code continues', async () => {
    const parked = await parkedCall(here.engine, tool);
    const outcome = parked.outcome();
    await decide(here.engine, parked);
    await outcome;
    clock.advance(LIVED_ON_MS);
    await here.engine.outcomeNotifier.deliverDue();
    there.engine.guardrails.onApprovalOutcome((each) => void received.push(each));
    clock.advance(TELLING_MS);
    await there.engine.outcomeNotifier.deliverDue();
    expect(received).toEqual([]);
  });

  it('is called again with growing delays after it failed, up to a limit, and each failure is logged', async () => {
    await decided();
    const { diagnostics, warnings } = recordWarnings();
    const { engine } = await bench({ 'hitl.enabled': true }, { stores, clock, tools: [tool], diagnostics });
    let attempts = 0;
    engine.guardrails.onApprovalOutcome(async () => {
      attempts += 1;
      throw new Error('not now');
    });
    const pauses: number[] = [];
    for (let waited = 0; waited <= 2 * DAY_MS; waited += pauses.at(-1) ?? 0) {
      await engine.outcomeNotifier.deliverDue();
      await engine.outcomeNotifier.idle();
      const { again_in_seconds: next = null } = facts(warnings.at(-1));
      if (next === null) break;
      clock.advance(next * 1000 - 1);
      await engine.outcomeNotifier.deliverDue();
      expect(attempts).toBe(pauses.push(next * 1000));
      clock.advance(1);
    }
    expect(pauses.toSorted((one, other) => one - other)).toEqual(pauses);
    expect([attempts, warnings.length, pauses[0]]).toEqual([9, 9, 5000]);
    expect(warnings.at(-1)).toContain('it is not retried');
    clock.advance(DAY_MS);
    await engine.outcomeNotifier.deliverDue();
    expect(attempts).toBe(9);
  });

  it('receives earlier outcomes if it is registered later', async () => {
    await decided();
    await there.engine.outcomeNotifier.deliverDue();
    clock.advance(3 * DAY_MS);
    there.engine.guardrails.onApprovalOutcome((each) => void received.push(each));
    await there.engine.outcomeNotifier.deliverDue();
    expect(statuses()).toEqual(['executed']);
  });

  it('receives other outcomes although one cannot be read', async () => {
    const unreadable = await decided();
    const other = await decided();
    const { diagnostics, warnings } = recordWarnings();
    const backend = changing(stores, 'claimNotification', (take) => async (id, leaseMs) => {
      if (id === unreadable) throw new SyntaxError('Unexpected token');
      return take(id, leaseMs);
    });
    const { engine } = await bench({ 'hitl.enabled': true }, { stores: backend, clock, diagnostics });
    engine.guardrails.onApprovalOutcome((each) => void received.push(each));
    await engine.outcomeNotifier.deliverDue();
    expect(received.map(({ approvalId }) => approvalId)).toEqual([other]);
    expect(warnings).toHaveLength(1);
  });

  it('is called again after a failure, and never on two instances at once', async () => {
    await decided();
    let attempts = 0;
    here.engine.guardrails.onApprovalOutcome(() => {
      attempts += 1;
      throw new Error('not now');
    });
    there.engine.guardrails.onApprovalOutcome((outcome) => void received.push(outcome));
    await here.engine.outcomeNotifier.deliverDue();
    await there.engine.outcomeNotifier.deliverDue();
    expect([attempts, received]).toEqual([1, []]);
    clock.advance(TELLING_MS);
    await there.engine.outcomeNotifier.deliverDue();
    expect(statuses()).toEqual(['executed']);
  });

  it('receives rejections, expiries, and resolutions of unknown outcomes', async () => {
    const dying = await bench(
      { 'hitl.enabled': true },
      { stores: storesDyingAt(stores, 'claimed'), clock, tools: [tool] },
    );
    const unknown = await parkedCall(dying.engine, tool);
    await expect(decide(dying.engine, unknown)).rejects.toThrow('it died');
    await decide(here.engine, await parkedCall(here.engine, tool), 'rejected');
    await parkedCall(here.engine, tool);
    clock.advance(TTL_MS);
    await recovered(here.engine);
    clock.advance(GRACE_MS);
    here.engine.guardrails.onApprovalOutcome((outcome) => void received.push(outcome));
    await here.engine.outcomeNotifier.deliverDue();
    expect(statuses().toSorted()).toEqual(['expired', 'outcome_unknown', 'rejected']);

    await here.engine.approvalService.resolve(unknown.approvalId, 'failed', {
      actorId: 'ops-2',
      reason: 'it never arrived',
    });
    clock.advance(GRACE_MS);
    await here.engine.outcomeNotifier.deliverDue();
    expect(statuses().at(-1)).toBe('failed');
    expect(received).toHaveLength(4);
  });

  it('receives nothing after its removal, and no outcome older than a week', async () => {
    await decided();
    const takeBack = here.engine.guardrails.onApprovalOutcome((outcome) => void received.push(outcome));
    takeBack();
    await here.engine.outcomeNotifier.deliverDue();
    clock.advance(7 * 24 * 3_600_000);
    there.engine.guardrails.onApprovalOutcome((outcome) => void received.push(outcome));
    await there.engine.outcomeNotifier.deliverDue();
    expect(received).toEqual([]);
  });

  it('does not delay the stop of its instance if it never returns', async () => {
    await decided();
    here.engine.guardrails.onApprovalOutcome(() => new Promise(() => undefined));
    await here.engine.outcomeNotifier.deliverDue();
    await here.engine.stop();
  });
});

function facts(line = '{}'): { readonly again_in_seconds?: number } {
  return JSON.parse(line.slice(line.indexOf('{'))) as { readonly again_in_seconds?: number };
}

describe('a parked call whose conversation continues', () => {
  const executed = (context: ReturnType<typeof aRun>, resumes: boolean) =>
    here.engine.guardrails.guardTool(tool, context, { resumes }).execute({ order: 'A-1182' });

  it('gets its approval with `resumes`, also where it expired, and is parked anew without', async () => {
    const context = aRun();
    const { approvalId } = await parkedCall(here.engine, tool, { order: 'A-1182' }, context);
    clock.advance(TTL_MS + 1);
    await recovered(here.engine);
    const resumed = await executed(context, true);
    if (resumed.status !== 'parked') throw new Error(resumed.status);
    expect(resumed).toMatchObject({ parked: { approvalId }, message: expect.stringContaining('in time') });
    expect((await resumed.parked.outcome()).status).toBe('expired');
    expect((await stores.approvals.pending({ limit: 5 })).entries).toEqual([]);
    expect(await executed(context, false)).toMatchObject({
      status: 'parked',
      parked: { approvalId: approvalId + 1 },
    });
    expect(await executed(context, true)).toMatchObject({
      status: 'parked',
      parked: { approvalId: approvalId + 1 },
    });
  });

  it('is a new call where it was not parked before', async () => {
    expect(await executed(aRun(), true)).toMatchObject({ status: 'parked' });
    expect((await stores.approvals.pending({ limit: 5 })).entries).toHaveLength(1);
  });

  it('does not run where the bridge was switched off meanwhile', async () => {
    const context = aRun();
    const { approvalId } = await parkedCall(here.engine, tool, { order: 'A-1182' }, context);
    const { engine } = await bench({ 'hitl.enabled': false, 'hitl.fallback': 'pass' }, { stores, clock });
    const resumed = engine.guardrails.guardTool(tool, context, { resumes: true });
    expect(await resumed.execute({ order: 'A-1182' })).toMatchObject({
      status: 'parked',
      parked: { approvalId },
    });
  });
});
