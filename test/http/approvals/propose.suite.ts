import { beforeEach, describe, expect } from '@jest/globals';
import type {
  ApprovalDetailData,
  ApprovalListData,
  ApprovalProposalData,
  PendingApproval,
} from '#contracts/approvals/approvals.api.js';
import type { AuditListData } from '#contracts/audit/entry.js';
import type { Tool } from '#contracts/firewall/firewall.js';
import { Approvals } from '#engine/controls/approvals/approvals.js';
import { expectEnvelope, expectError } from '../support/envelope.js';
import { describeOnEachStore } from '../support/hosts.js';

const PROPOSAL = 'approval-proposal';
const calls: unknown[] = [];

const refund: Tool = {
  name: 'refund',
  parameters: {
    type: 'object',
    properties: { amount: { type: 'number' }, user_id: { type: 'string' } },
    additionalProperties: false,
  },
  execute: (args) => void calls.push(args),
};

const settings = {
  'hitl.enabled': true,
  'hitl.policies': { refund: { rules: [{ when: { '/amount': { gt: 1000 } }, require: 'deny' }] } },
} as const;

describeOnEachStore({ settings, tools: [refund] }, (bench) => {
  const { it, itOnEachStore } = bench;

  let runs = 0;

  beforeEach(() => {
    bench.clock.setToNow();
    calls.length = 0;
  });

  async function park(): Promise<PendingApproval> {
    const runId = `propose-${bench.hostKind}-${++runs}`;
    const context = { principalId: 'customer-42', runId };
    const outcome = await bench.host.guardrails.guardTool(refund, context).execute({ amount: 100 });
    expect(outcome.status).toBe('parked');
    const { pending } = await bench.read<ApprovalListData>(`/approvals?run_id=${runId}`);
    if (pending[0] === undefined) throw new Error('the call does not wait');
    return pending[0];
  }

  const propose = (id: number, body: unknown, as = 'operator') =>
    bench.api.post(`/approvals/${id}/propose`, body, { as });

  describe('contract 8: POST /approvals/{approval_id}/propose', () => {
    itOnEachStore('replaces the call by a proposal, and shows both and the difference', async () => {
      const waiting = await park();
      const answer = await propose(waiting.approval_id, { arguments: { amount: 40 }, reason: 'half' });
      const data = expectEnvelope(answer, 200, PROPOSAL).data as unknown as ApprovalProposalData;
      expect(data).toEqual({
        approval_id: expect.any(Number),
        supersedes: waiting.approval_id,
        token: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/),
        run_id: waiting.run_id,
        tool: 'refund',
        status: 'pending',
        arguments: { amount: 40, user_id: 'customer-42' },
        arguments_digest: expect.stringMatching(/^[0-9a-f]{64}$/),
        overwritten: [],
        policy: { rule: null, needed: 1, given: 0, group: null, reason_required: false },
        edited_by: 'ops-1',
        edit_reason: 'half',
        expires_at: expect.stringMatching(/Z$/),
      });
      const { approval } = await bench.read<ApprovalDetailData>(`/approvals/${data.approval_id}`);
      expect(approval).toMatchObject({
        supersedes: waiting.approval_id,
        superseded_by: null,
        edited_by: 'ops-1',
        requested_arguments: { amount: 100 },
        changes: [{ path: '/amount', from: 100, to: 40 }],
      });
      const old = await bench.read<ApprovalDetailData>(`/approvals/${waiting.approval_id}`);
      expect(old.approval).toMatchObject({
        status: 'superseded',
        superseded_by: data.approval_id,
        changes: null,
      });
      const late = await bench.api.post(`/approvals/${waiting.token}/approve`);
      const { error } = expectError(late, 409, 'approval-decision', 'superseded').data;
      expect(error.details['superseded_by']).toBe(data.approval_id);
      expect(calls).toEqual([]);
      const decided = await bench.api.post(`/approvals/${data.token}/approve`, {}, { as: 'second-operator' });
      expectEnvelope(decided, 200, 'approval-decision');
      expect(calls).toEqual([{ amount: 40, user_id: 'customer-42' }]);
    });

    it.each<readonly [string, unknown, readonly string[]]>([
      ['without arguments', { reason: 'r' }, ['arguments']],
      ['without a reason', { arguments: { amount: 1 } }, ['reason']],
      ['with a list', { arguments: [1], reason: 'r' }, ['arguments']],
      ['with an unknown member', { arguments: { amount: 1 }, reason: 'r', tool: 'delete' }, ['tool']],
      ['that breaks the schema', { arguments: { amount: 'all' }, reason: 'r' }, ['arguments.amount']],
      ['that the policy denies', { arguments: { amount: 1001 }, reason: 'r' }, ['arguments']],
      ['that changes nothing', { arguments: { amount: 100 }, reason: 'r' }, ['arguments']],
    ])('refuses a body %s, and changes nothing', async (_, body, fields) => {
      const { approval_id } = await park();
      const { error } = expectError(await propose(approval_id, body), 422, PROPOSAL, 'invalid_body').data;
      expect(Object.keys(error.fields)).toEqual(fields);
      expect((await bench.stores.approvals.find(approval_id))?.status).toBe('pending');
    });

    it('records an edit that the policy denies, with its editor', async () => {
      const { approval_id } = await park();
      await propose(approval_id, { arguments: { amount: 1001 }, reason: 'r' });
      const { entries } = await bench.read<AuditListData>('/audit?control=hitl&origin=approval&limit=1');
      expect(entries).toMatchObject([
        { outcome: 'blocked', rule_id: 'policy.1', principal_id: 'customer-42' },
      ]);
    });

    it('needs an actor and the right to write', async () => {
      const { approval_id } = await park();
      const body = { arguments: { amount: 1 }, reason: 'r' };
      expectError(await propose(approval_id, body, 'nameless'), 403, PROPOSAL, 'actor_required');
      expectError(await propose(approval_id, body, 'reader'), 403, PROPOSAL, 'forbidden');
      expectError(await propose(999_999_999, body), 404, PROPOSAL, 'not_found');
    });
  });

  describe('Approvals, injected into the host', () => {
    it('decides a call with an actor, with the same result as the routes', async () => {
      const waiting = await park();
      const approvals = bench.host.application.get(Approvals, { strict: false });
      const decided = await approvals.decide(waiting.approval_id, { verdict: 'approved', actor: 'bot-7' });
      expect(decided).toMatchObject({ status: 'executed', decidedBy: 'bot-7' });
      const { approval } = await bench.read<ApprovalDetailData>(`/approvals/${waiting.approval_id}`);
      expect(approval).toMatchObject({ status: 'executed', decided_by: 'bot-7' });
    });
  });
});
