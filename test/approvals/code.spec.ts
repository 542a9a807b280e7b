import { beforeEach, describe, expect, it } from '@jest/globals';
import type { ToolContext } from '#contracts/firewall/firewall.js';
import type { StoreBackend } from '#contracts/stores/store-backend.js';
import type { Approvals } from '#engine/controls/approvals/approvals.js';
import { memoryStores } from '#stores/memory/memory-stores.js';
import { SetClock } from '../http/support/set-clock.js';
import { aRun, parkedCall, parkedRequiring } from '../support/approvals.js';
import { bench, refundTool, type Bench } from '../support/engine.js';

const ARGS = { order: 'A-1182', amount: 100 };
const EDITED = { order: 'A-1182', amount: 40 };
const by = (actor: string) => ({ actor, reason: 'checked' });

let clock: SetClock;
let stores: StoreBackend;
let tool: ReturnType<typeof refundTool>;
let setup: Bench;
let approvals: Approvals;

const instance = (settings: object = {}): Promise<Bench> =>
  bench({ 'hitl.enabled': true, ...settings }, { stores, clock, tools: [tool] });

beforeEach(async () => {
  clock = new SetClock();
  stores = memoryStores({ clock });
  tool = refundTool();
  setup = await instance();
  ({ approvals } = setup.engine);
});

const park = (context: ToolContext = aRun()) => parkedCall(setup.engine, tool, ARGS, context);

describe('approvals from code', () => {
  it('list, find, decide and resolve with an actor, and with the events of the routes', async () => {
    const { approvalId } = await park();
    expect((await approvals.pending()).entries.map(({ id }) => id)).toEqual([approvalId]);
    expect((await approvals.pending({ limit: 1 }, { tool: 'delete' })).entries).toEqual([]);
    expect((await approvals.find(approvalId))?.arguments).toMatchObject(ARGS);
    expect(await approvals.find(999)).toBeNull();
    const decided = await approvals.decide(approvalId, { verdict: 'approved', ...by('ops-1') });
    expect(decided).toMatchObject({ status: 'executed', decidedBy: 'ops-1', reason: 'checked' });
    expect(await approvals.decide(approvalId, { verdict: 'approved', ...by('ops-1') })).toEqual(decided);
    expect(setup.log.decisions.filter((name) => name.includes('approval'))).toEqual([
      'guardrails.approval.decided',
      'guardrails.approval.executed',
    ]);
    await expect(approvals.resolve(approvalId, { status: 'failed', ...by('ops-1') })).rejects.toMatchObject({
      code: 'already_decided',
    });
  });

  it('check four eyes and unknown ids as the routes do', async () => {
    const strict = await instance({ 'hitl.four_eyes': true });
    const { approvalId } = await parkedCall(strict.engine, tool, ARGS);
    const own = { verdict: 'approved', ...by('CUSTOMER-42') } as const;
    await expect(strict.engine.approvals.decide(approvalId, own)).rejects.toMatchObject({
      code: 'self_approval',
    });
    await expect(approvals.decide(999, { verdict: 'rejected', ...by('ops-1') })).rejects.toMatchObject({
      code: 'not_found',
    });
  });

  it.each<readonly [string, object, string]>([
    ['no actor', { actor: '' }, 'actor_required'],
    ['a blank actor', { actor: ' \n' }, 'actor_required'],
    ['a long reason', { reason: 'x'.repeat(1001) }, 'invalid_body'],
    ['a reason that is no text', { reason: 7 }, 'invalid_body'],
    ['an unknown verdict', { verdict: 'maybe' }, 'invalid_body'],
  ])('refuse %s, and change nothing', async (_, wrong, code) => {
    const { approvalId } = await park();
    const decision = { verdict: 'approved', actor: 'ops-1', ...wrong } as const;
    await expect(approvals.decide(approvalId, decision as never)).rejects.toMatchObject({ code });
    expect((await approvals.find(approvalId))?.status).toBe('pending');
  });
});

describe('a proposal', () => {
  const edit = { arguments: EDITED, ...by('editor') };

  it('replaces the call, waits, and runs exactly the edited arguments once it is approved', async () => {
    const { approvalId } = await park();
    const proposed = await approvals.propose(approvalId, edit);
    expect(proposed).toMatchObject({
      status: 'pending',
      supersedes: approvalId,
      firstId: approvalId,
      editors: ['editor'],
      editReason: 'checked',
      arguments: { ...EDITED, customer_id: 'customer-42' },
      requestedArguments: ARGS,
    });
    expect(tool.calls).toEqual([]);
    expect(await approvals.find(approvalId)).toMatchObject({
      status: 'superseded',
      supersededBy: proposed.id,
    });
    await expect(approvals.decide(approvalId, { verdict: 'approved', ...by('ops-1') })).rejects.toMatchObject(
      { code: 'superseded', details: { superseded_by: proposed.id } },
    );
    await approvals.decide(proposed.id, { verdict: 'approved', ...by('ops-1') });
    expect(tool.calls).toEqual([{ ...EDITED, customer_id: 'customer-42' }]);
    expect(setup.log.decisions.filter((name) => name.includes('approval'))).toEqual([
      'guardrails.approval.superseded',
      'guardrails.approval.proposed',
      'guardrails.approval.decided',
      'guardrails.approval.executed',
    ]);
  });

  it('is awaited by code that waits for the edited call, on this and on another instance', async () => {
    const parked = await park();
    const there = (await instance()).engine.guardrails.approvalOutcome(parked.approvalId);
    const here = parked.outcome();
    const first = await approvals.propose(parked.approvalId, edit);
    const next = { ...edit, arguments: { ...EDITED, amount: 30 } };
    const second = await approvals.propose(first.id, next);
    const late = parked.outcome();
    await approvals.decide(second.id, { verdict: 'rejected', ...by('ops-1') });
    for (const outcome of await Promise.all([here, late, there])) {
      expect(outcome).toMatchObject({
        approvalId: second.id,
        firstApprovalId: parked.approvalId,
        status: 'rejected',
        message: 'The call was rejected: checked',
      });
    }
  });

  it('overwrites owner keys with the principal of the requester', async () => {
    const { approvalId } = await park();
    const proposed = await approvals.propose(approvalId, {
      ...edit,
      arguments: { ...EDITED, customer_id: 'editor' },
    });
    expect(proposed.arguments).toEqual({ ...EDITED, customer_id: 'customer-42' });
    expect(proposed.overwritten).toEqual([{ path: '/customer_id', from: 'editor', to: 'customer-42' }]);
  });

  it.each<readonly [string, unknown, string]>([
    ['break the schema', { order: 7 }, 'arguments.order'],
    ['are not declared', { ...EDITED, more: 1 }, 'arguments.more'],
    ['are no object', 'all of it', 'arguments'],
    ['are those that wait', { ...ARGS, customer_id: 'customer-42' }, 'arguments'],
  ])('is refused with 422 where the arguments %s, and changes nothing', async (_, args, field) => {
    const { approvalId } = await park();
    const proposal = { ...edit, arguments: args } as never;
    await expect(approvals.propose(approvalId, proposal)).rejects.toMatchObject({
      code: 'invalid_body',
      fields: { [field]: [expect.any(String)] },
    });
    expect((await approvals.find(approvalId))?.status).toBe('pending');
  });

  it('needs at least as many approvers of the same group, and never counts its editor', async () => {
    const waiting = await parkedRequiring(stores, await park(), { approvers: 2, isReasonRequired: true });
    const proposed = await approvals.propose(waiting.id, edit);
    expect(proposed.requirement).toMatchObject({ approvers: 2, group: null, isReasonRequired: true });
    for (const actor of ['editor', 'EDITOR ', 'customer-42']) {
      const decision = { verdict: 'approved', ...by(actor) } as const;
      await expect(approvals.decide(proposed.id, decision)).rejects.toMatchObject({ code: 'self_approval' });
    }
    await approvals.decide(proposed.id, { verdict: 'approved', ...by('ops-1') });
    const again = await approvals.propose(proposed.id, { ...edit, arguments: ARGS, actor: 'other' });
    expect([again.editors, again.votes]).toEqual([['editor', 'other'], []]);
    await expect(approvals.decide(again.id, { verdict: 'approved', ...by('editor') })).rejects.toMatchObject({
      code: 'self_approval',
    });
  });

  it('keeps the group of the call, also for the editor', async () => {
    const waiting = await parkedRequiring(stores, await park(), { group: 'finance' });
    await expect(approvals.propose(waiting.id, edit)).rejects.toMatchObject({
      code: 'approver_check_failed',
    });
    expect((await approvals.find(waiting.id))?.status).toBe('pending');
  });

  it('is refused once the call was decided or has expired', async () => {
    const { approvalId } = await park();
    await approvals.decide(approvalId, { verdict: 'rejected', ...by('ops-1') });
    await expect(approvals.propose(approvalId, edit)).rejects.toMatchObject({ code: 'already_decided' });
    const late = await park();
    clock.advance(2 * 3_600_000);
    await expect(approvals.propose(late.approvalId, edit)).rejects.toMatchObject({ code: 'expired' });
    await expect(approvals.propose(999, edit)).rejects.toMatchObject({ code: 'not_found' });
  });

  it('returns the same waiting approval when the model repeats its request', async () => {
    const context = aRun();
    const { approvalId } = await park(context);
    const proposed = await approvals.propose(approvalId, edit);
    expect((await park(context)).approvalId).toBe(proposed.id);
  });
});
