import { beforeEach, describe, expect, it } from '@jest/globals';
import {
  ApproverGroups,
  type Approval,
  type ApprovalRequirement,
  type ApprovalVerdict,
} from '#contracts/approvals/approvals.js';
import type { StoreBackend } from '#contracts/stores/store-backend.js';
import { ApproverCheck } from '#engine/controls/approvals/approval-quorum.js';
import { unusablePolicies } from '#engine/controls/firewall/policy-faults.js';
import { memoryStores } from '#stores/memory/memory-stores.js';
import { SetClock } from '../http/support/set-clock.js';
import { changing, claimingChanged, parkedCall, parkedRequiring } from '../support/approvals.js';
import { bench, refundTool, type Bench } from '../support/engine.js';

/** Groups whose members change while a call waits. */
class Members extends ApproverGroups {
  readonly of = new Map<string, readonly string[]>();
  readonly calls: (readonly [actor: string, group: string])[] = [];
  answer: (isMember: boolean) => unknown = (isMember) => isMember;

  override isMember(actorId: string, group: string): boolean {
    this.calls.push([actorId, group]);
    return this.answer(this.of.get(group)?.includes(actorId) === true) as boolean;
  }
}

type Waiting = Approval & { readonly token: string };

let clock: SetClock;
let stores: StoreBackend;
let members: Members;
let tool: ReturnType<typeof refundTool>;

beforeEach(() => {
  clock = new SetClock();
  stores = memoryStores({ clock });
  members = new Members();
  tool = refundTool();
});

function instance(settings: object = {}, backend = stores): Promise<Bench> {
  const options = { stores: backend, clock, tools: [tool], approverGroups: members };
  return bench({ 'hitl.enabled': true, ...settings }, options);
}

async function waiting({ engine }: Bench, requirement: Partial<ApprovalRequirement>): Promise<Waiting> {
  return parkedRequiring(stores, await parkedCall(engine, tool), requirement);
}

function vote(
  { engine }: Bench,
  { token }: Waiting,
  actorId: string,
  verdict: ApprovalVerdict = 'approved',
  reason: string | null = null,
): Promise<Approval> {
  return engine.approvalService.decide(token, verdict, { actorId, reason });
}

const statusOf = async ({ id }: Waiting): Promise<string | undefined> =>
  (await stores.approvals.find(id))?.status;

describe('a call that needs two approvers', () => {
  it('runs after the second approval, and not before', async () => {
    const setup = await instance();
    const call = await waiting(setup, { approvers: 2 });
    const first = await vote(setup, call, 'ops-1');
    expect([first.status, setup.engine.approvalService.votes.given(first), tool.calls.length]).toEqual([
      'pending',
      1,
      0,
    ]);
    const second = await vote(setup, call, 'ops-2');
    expect([second.status, second.decidedBy, tool.calls.length]).toEqual(['executed', 'ops-2', 1]);
    expect(setup.log.decisions.filter((name) => name.includes('approval'))).toEqual([
      'guardrails.approval.voted',
      'guardrails.approval.decided',
      'guardrails.approval.executed',
    ]);
  });

  it('counts one actor once, in any spelling, and answers a repeated vote with the same', async () => {
    const setup = await instance();
    const call = await waiting(setup, { approvers: 2 });
    const first = await vote(setup, call, 'Straße');
    for (const actor of ['Straße', 'STRASSE', ' strasse ', 'Ｓtraße']) {
      expect(await vote(setup, call, actor)).toEqual(first);
    }
    expect(setup.log.decisions.filter((name) => name.endsWith('voted'))).toHaveLength(1);
  });

  it('never counts the requester, also without four eyes', async () => {
    const setup = await instance();
    const call = await waiting(setup, { approvers: 2 });
    await expect(vote(setup, call, 'CUSTOMER-42')).rejects.toMatchObject({ code: 'self_approval' });
    expect((await stores.approvals.find(call.id))?.votes).toEqual([]);
  });

  it('cannot be approved where the requester is unknown', async () => {
    const setup = await instance();
    const parked = await parkedCall(setup.engine, tool);
    const call = await parkedRequiring(stores, parked, { approvers: 2 }, { principalId: null });
    await expect(vote(setup, call, 'ops-1')).rejects.toMatchObject({ code: 'self_approval' });
    expect((await vote(setup, call, 'ops-1', 'rejected')).status).toBe('rejected');
  });

  it('is ended by one rejection, also by somebody who voted for it', async () => {
    const setup = await instance();
    const call = await waiting(setup, { approvers: 3 });
    await vote(setup, call, 'ops-1');
    await vote(setup, call, 'ops-2');
    expect((await vote(setup, call, 'ops-1', 'rejected')).status).toBe('rejected');
    await expect(vote(setup, call, 'ops-3')).rejects.toMatchObject({ code: 'already_decided' });
    expect(tool.calls).toEqual([]);
  });

  it('answers `already_decided` to an earlier voter once the status has left pending', async () => {
    const setup = await instance();
    const call = await waiting(setup, { approvers: 2 });
    await vote(setup, call, 'ops-1');
    await vote(setup, call, 'ops-2');
    await expect(vote(setup, call, 'ops-1')).rejects.toMatchObject({ code: 'already_decided' });
    expect((await vote(setup, call, 'ops-2')).status).toBe('executed');
  });

  it('expires although a vote is missing only', async () => {
    const setup = await instance();
    const call = await waiting(setup, { approvers: 2 });
    await vote(setup, call, 'ops-1');
    clock.advance(2 * 3_600_000);
    for (const actor of ['ops-1', 'ops-2'])
      await expect(vote(setup, call, actor)).rejects.toMatchObject({ code: 'expired' });
    expect(await statusOf(call)).toBe('expired');
  });

  it('runs once for ten concurrent approvers', async () => {
    const setup = await instance();
    const call = await waiting(setup, { approvers: 4 });
    const answers = await Promise.allSettled(
      Array.from({ length: 10 }, (_, index) => vote(setup, call, `ops-${index}`)),
    );
    expect(tool.calls).toHaveLength(1);
    const votes = (await stores.approvals.find(call.id))?.votes ?? [];
    expect(votes).toHaveLength(4);
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(4);
  });
});

describe('votes in the store', () => {
  const forged = { id: 99, actorId: 'ops-9', reason: null, votedAt: new Date(), voidedAt: null };

  it('do not count without a valid MAC', async () => {
    const setup = await instance();
    const call = await waiting(setup, { approvers: 2 });
    const sealed = (await vote(setup, call, 'ops-1')).votes[0]?.voteMac ?? '';
    for (const voteMac of ['', 'forged', sealed]) {
      const tampered = changing(stores, 'findByTokenHash', (find) => async (hash) => {
        const found = await find(hash);
        return found && { ...found, votes: [...found.votes, { ...forged, voteMac }] };
      });
      const other = await instance({}, tampered);
      expect((await vote(other, call, 'ops-1')).status).toBe('pending');
    }
    expect(tool.calls).toEqual([]);
  });

  it('are not named in an event if they do not count', async () => {
    const tampered = changing(
      stores,
      'change',
      (change) => (id, done, evidence) =>
        change(id, done, (approval, step) => {
          const last = { ...forged, voteMac: 'forged' };
          return evidence({ ...approval, votes: [...approval.votes, last] }, step);
        }),
    );
    const setup = await instance({}, tampered);
    await vote(setup, await waiting(setup, { approvers: 2 }), 'ops-1');
    expect(setup.log.events.at(-1)).toMatchObject({
      name: 'guardrails.approval.voted',
      facts: { actorId: 'ops-1' },
    });
  });

  it('must be complete when the run is claimed', async () => {
    const setup = await instance();
    const call = await waiting(setup, { approvers: 2 });
    await vote(setup, call, 'ops-1');
    const without = claimingChanged(stores, { votes: [] });
    await expect(vote(await instance({}, without), call, 'ops-2')).rejects.toMatchObject({
      code: 'superseded',
    });
    expect(tool.calls).toEqual([]);
  });

  it('do not count for a call whose stored requirement was lowered', async () => {
    const setup = await instance();
    const call = await waiting(setup, { approvers: 2 });
    const lowered = changing(stores, 'findByTokenHash', (find) => async (hash) => {
      const found = await find(hash);
      return found && { ...found, requirement: { ...found.requirement, approvers: 1 } };
    });
    await expect(vote(await instance({}, lowered), call, 'ops-1')).rejects.toMatchObject({
      code: 'superseded',
    });
    expect(tool.calls).toEqual([]);
  });
});

describe('a required reason', () => {
  it.each(['approved', 'rejected'] as const)(
    'is required with 422 before the call is %s',
    async (verdict) => {
      const setup = await instance();
      const call = await waiting(setup, { isReasonRequired: true });
      for (const reason of [null, '', ' \n'])
        await expect(vote(setup, call, 'ops-1', verdict, reason)).rejects.toMatchObject({
          code: 'invalid_body',
          fields: { reason: [expect.stringContaining('required')] },
        });
      expect(await statusOf(call)).toBe('pending');
      expect((await vote(setup, call, 'ops-1', verdict, 'checked')).reason).toBe('checked');
    },
  );
});

describe('an approver group', () => {
  it.each(['approved', 'rejected'] as const)('lets only its members decide: %s', async (verdict) => {
    members.of.set('finance', ['cfo']);
    const setup = await instance();
    const call = await waiting(setup, { group: 'finance' });
    await expect(vote(setup, call, 'ops-1', verdict)).rejects.toMatchObject({ code: 'forbidden' });
    expect(await statusOf(call)).toBe('pending');
    expect((await vote(setup, call, 'cfo', verdict)).decidedBy).toBe('cfo');
    expect(members.calls).toEqual([
      ['ops-1', 'finance'],
      ['cfo', 'finance'],
    ]);
  });

  it('is checked again for earlier voters at the last vote; votes of former members become void', async () => {
    members.of.set('finance', ['cfo', 'clerk', 'head']);
    const setup = await instance();
    const call = await waiting(setup, { approvers: 2, group: 'finance' });
    await vote(setup, call, 'clerk');
    members.of.set('finance', ['cfo', 'head']);
    const second = await vote(setup, call, 'cfo');
    expect([second.status, setup.engine.approvalService.votes.given(second)]).toEqual(['pending', 1]);
    expect(second.votes.map(({ actorId, voidedAt }) => [actorId, voidedAt !== null])).toEqual([
      ['clerk', true],
      ['cfo', false],
    ]);
    await expect(vote(setup, call, 'clerk')).rejects.toMatchObject({ code: 'forbidden' });
    expect((await vote(setup, call, 'head')).status).toBe('executed');
  });

  it('counts a new vote of somebody who is a member again', async () => {
    members.of.set('finance', ['cfo', 'clerk']);
    const setup = await instance();
    const call = await waiting(setup, { approvers: 2, group: 'finance' });
    await vote(setup, call, 'clerk');
    members.of.set('finance', ['cfo']);
    await vote(setup, call, 'cfo');
    members.of.set('finance', ['cfo', 'clerk']);
    expect((await vote(setup, call, 'clerk')).status).toBe('executed');
  });

  it.each<readonly [string, (isMember: boolean) => unknown]>([
    [
      'throws',
      () => {
        throw new Error('the directory is down');
      },
    ],
    ['rejects', () => Promise.reject(new Error('the directory is down'))],
  ])('refuses the vote with approver_check_failed where the host %s', async (_, answer) => {
    members.of.set('finance', ['cfo']);
    const setup = await instance();
    const call = await waiting(setup, { approvers: 2, group: 'finance' });
    members.answer = answer;
    await expect(vote(setup, call, 'cfo')).rejects.toMatchObject({ code: 'approver_check_failed' });
    expect(await stores.approvals.find(call.id)).toMatchObject({ status: 'pending', votes: [] });
  });

  it('refuses the vote where the host does not answer in time', async () => {
    members.answer = () => new Promise(() => undefined);
    const check = new ApproverCheck(members, 1);
    await expect(check.isMember('cfo', 'finance')).rejects.toMatchObject({ code: 'approver_check_failed' });
  });

  it('refuses the vote where the host gives no groups, and does not call it for calls without a group', async () => {
    const check = new ApproverCheck(null);
    await expect(check.isMember('cfo', 'finance')).rejects.toMatchObject({ code: 'approver_check_failed' });
    expect(await check.isMember('cfo', null)).toBe(true);
  });

  it('accepts only `true` as membership', async () => {
    members.answer = () => 'yes';
    expect(await new ApproverCheck(members).isMember('cfo', 'finance')).toBe(false);
  });

  it('is named by the boot check if no approverGroups are given', () => {
    const of = (...groups: string[]) => ({
      refund: {
        rules: groups.map((group) => ({ when: {}, require: 'approval' as const, group })),
        limits: [],
      },
    });
    expect(unusablePolicies(of('finance', 'legal', 'finance'), false)).toEqual([
      expect.stringContaining('"finance", "legal"'),
    ]);
    expect(unusablePolicies(of('finance'), true)).toEqual([]);
    expect(unusablePolicies(of(), false)).toEqual([]);
  });
});
