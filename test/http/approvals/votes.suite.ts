import { beforeEach, describe, expect } from '@jest/globals';
import type { ApprovalDecisionData } from '#contracts/approvals/approvals.api.js';
import type { AuditListData } from '#contracts/audit/entry.js';
import { ApproverGroups, type Approval, type ApprovalRequirement } from '#contracts/approvals/approvals.js';
import type { Tool } from '#contracts/firewall/firewall.js';
import { parkedRequiring } from '../../support/approvals.js';
import type { Answer } from '../support/client.js';
import { expectEnvelope, expectError } from '../support/envelope.js';
import { TOKEN_SECRET } from '../support/host.js';
import { describeOnEachStore } from '../support/hosts.js';

const DECISION = 'approval-decision';
const calls: unknown[] = [];

const refund: Tool = {
  name: 'refund',
  parameters: { type: 'object', properties: { order: { type: 'string' } }, additionalProperties: false },
  execute: (args) => {
    calls.push(args);
    return { refunded: true };
  },
};

class Finance extends ApproverGroups {
  isDown = false;

  override isMember(actorId: string, group: string): boolean {
    if (this.isDown) throw new Error('the directory is down');
    return group === 'finance' && actorId === 'ops-1';
  }
}

const finance = new Finance();
const guardrails = {
  settings: { 'hitl.enabled': true },
  tools: [refund],
  controls: { approverGroups: finance },
};

describeOnEachStore(guardrails, (bench) => {
  const { it, itOnEachStore } = bench;

  let runs = 0;

  beforeEach(() => {
    bench.clock.setToNow();
    calls.length = 0;
    finance.isDown = false;
  });

  async function park(
    requirement: Partial<ApprovalRequirement>,
  ): Promise<Approval & { readonly token: string }> {
    const context = { principalId: 'customer-42', runId: `votes-${bench.hostKind}-${++runs}` };
    const outcome = await bench.host.guardrails.guardTool(refund, context).execute({ order: 'A-1' });
    if (outcome.status !== 'parked') throw new Error('the call was not parked');
    return parkedRequiring(bench.stores, outcome.parked, requirement, { secret: TOKEN_SECRET });
  }

  const send = (verb: string, { token }: { readonly token: string }, as: string, body?: unknown) =>
    bench.api.post(`/approvals/${token}/${verb}`, body, { as });
  const decided = (answer: Answer): ApprovalDecisionData =>
    expectEnvelope(answer, 200, DECISION).data as unknown as ApprovalDecisionData;

  describe('contract 7.2: a call that needs two approvers', () => {
    itOnEachStore(
      'answers a vote that is not the last with `pending`, and the same when repeated',
      async () => {
        const call = await park({ rule: 3, approvers: 2 });
        const first = decided(await send('approve', call, 'operator', { reason: 'checked' }));
        expect(first).toEqual({
          decision: 'approved',
          approval_id: call.id,
          run_id: null,
          tool: 'refund',
          status: 'pending',
          decided_by: 'ops-1',
          decided_at: expect.stringMatching(/Z$/),
          result: null,
          error: null,
          policy: { rule: 3, needed: 2, given: 1, group: null, reason_required: false },
        });
        expect(decided(await send('approve', call, 'operator'))).toEqual(first);
        expect(calls).toEqual([]);
      },
    );

    itOnEachStore('runs with the second approver, and then answers 409 to the first', async () => {
      const call = await park({ approvers: 2 });
      await send('approve', call, 'operator');
      const last = decided(await send('approve', call, 'second-operator'));
      expect(last).toMatchObject({
        status: 'executed',
        decided_by: 'ops-2',
        policy: { needed: 2, given: 2 },
      });
      expect(calls).toHaveLength(1);
      expectError(await send('approve', call, 'operator'), 409, DECISION, 'already_decided');
    });

    it('is ended by one rejection', async () => {
      const call = await park({ approvers: 2 });
      await send('approve', call, 'operator');
      const rejected = decided(await send('reject', call, 'second-operator'));
      expect(rejected).toMatchObject({ decision: 'rejected', status: 'rejected', policy: { given: 1 } });
      expectError(await send('approve', call, 'operator'), 409, DECISION, 'already_decided');
      expect(calls).toEqual([]);
    });

    itOnEachStore('contract 4: records every vote as evidence of control hitl', async () => {
      const call = await park({ approvers: 2 });
      const entries = async (): Promise<number> =>
        (await bench.read<AuditListData>('/audit?control=hitl&limit=200')).entries.length;
      const before = await entries();
      await send('approve', call, 'operator');
      await send('approve', call, 'operator');
      expect(await entries()).toBe(before + 1);
    });
  });

  describe('contract 7.2: a policy with a group or a reason', () => {
    it('refuses a caller outside the group, for every verdict', async () => {
      const call = await park({ group: 'finance' });
      for (const verb of ['approve', 'reject'])
        expectError(await send(verb, call, 'second-operator'), 403, DECISION, 'forbidden');
      expect(decided(await send('approve', call, 'operator')).status).toBe('executed');
    });

    it('changes nothing while the group cannot be checked', async () => {
      const call = await park({ group: 'finance', approvers: 2 });
      finance.isDown = true;
      const answer = await send('approve', call, 'operator');
      expectError(answer, 503, DECISION, 'approver_check_failed');
      expect(answer.headers['retry-after']).toBe('5');
      expect(answer.text).not.toContain('directory');
      expect((await bench.stores.approvals.find(call.id))?.voteCount).toBe(0);
    });

    it('requires the reason that the policy demands', async () => {
      const call = await park({ isReasonRequired: true });
      for (const verb of ['approve', 'reject']) {
        const { error } = expectError(
          await send(verb, call, 'operator', {}),
          422,
          DECISION,
          'invalid_body',
        ).data;
        expect(Object.keys(error.fields)).toEqual(['reason']);
      }
      const { status } = decided(await send('approve', call, 'operator', { reason: 'checked by phone' }));
      expect(status).toBe('executed');
    });
  });
});
