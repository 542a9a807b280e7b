import { createHash } from 'node:crypto';
import { describe, expect } from '@jest/globals';
import type {
  ApprovalDetailData,
  ApprovalHistoryData,
  ApprovalListData,
  PendingApproval,
} from '#contracts/approvals/approvals.api.js';
import type { AuditDetailData } from '#contracts/audit/entry.js';
import { expectInvalidQuery } from '../support/envelope.js';
import { approvalEvidence, newApproval } from '#stores/contract/builders.js';
import type { Bench } from '../support/hosts.js';
import { refund, unique } from './material.js';

const SECOND = 1000;
const HOUR = 3600 * SECOND;

export function describeApprovals(bench: Bench): void {
  const { it, itOnEachStore } = bench;

  const list = (): Promise<ApprovalListData> => bench.read<ApprovalListData>('/approvals');
  const shown = async (runId: string): Promise<PendingApproval | undefined> =>
    (await list()).pending.find((item) => item.run_id === runId);
  const park = async (args: unknown, context = {}): Promise<string> => {
    const runId = unique('run');
    const principalId = unique('customer');
    const outcome = await bench.host.guardrails
      .guardTool(refund, { principalId, runId, ...context })
      .execute(args);
    expect(outcome.status).toBe('parked');
    return runId;
  };

  describe('contract 5: GET /approvals', () => {
    it('shows a parked call with exactly these fields', async () => {
      bench.clock.setToNow();
      const application = unique('shop');
      const principalId = unique('customer');
      const runId = await park(
        { order: 'A-1182', amount: 12.5 },
        { principalId, application, stepName: 'pay back' },
      );
      const item = await shown(runId);
      // RFC 8785: keys in order, no whitespace.
      const canonical = `{"amount":12.5,"order":"A-1182","user_id":"${principalId}"}`;
      expect(item).toEqual({
        approval_id: expect.any(Number),
        token: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/),
        run_id: runId,
        step_name: 'pay back',
        status: 'pending',
        tool: 'refund',
        arguments: { order: 'A-1182', amount: 12.5, user_id: principalId },
        arguments_digest: createHash('sha256').update(canonical).digest('hex'),
        reversible: true,
        headline: null,
        warnings: [],
        risk: [],
        principal_id: principalId,
        application,
        policy_revision: expect.stringMatching(/^[0-9a-f]+$/),
        created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        expires_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        requested_ago: 'just now',
        expires_in: 'in 1 hour',
        requested_arguments: { order: 'A-1182', amount: 12.5 },
        overwritten: [],
        supersedes: null,
        superseded_by: null,
        edited_by: null,
        edit_reason: null,
        audit_id: expect.any(Number),
        policy: { rule: null, needed: 1, given: 0, group: null, reason_required: false },
        decisions: [],
        can_decide: true,
        cannot_decide_reason: null,
      });
      const { entry } = await bench.read<AuditDetailData>(`/audit/${item?.audit_id}`);
      expect(entry).toMatchObject({ control: 'hitl', tool: 'refund', run_id: runId });
      const lifetime = Date.parse(item?.expires_at ?? '') - Date.parse(item?.created_at ?? '');
      expect(lifetime).toBe(HOUR);
    });

    it('shows what the model requested, and which owner keys were replaced', async () => {
      bench.clock.setToNow();
      const runId = await park({ amount: 1, user_id: 'somebody else' }, { principalId: 'customer-42' });
      expect(await shown(runId)).toMatchObject({
        arguments: { amount: 1, user_id: 'customer-42' },
        requested_arguments: { amount: 1, user_id: 'somebody else' },
        overwritten: [{ path: '/user_id', from: 'somebody else', to: 'customer-42' }],
      });
    });

    itOnEachStore.each(['tool', 'principal_id', 'application', 'run_id', 'q', 'from', 'to'])(
      'filters by %s, as the history does',
      async (name) => {
        bench.clock.setToNow();
        const application = unique('shop');
        const principalId = unique('customer');
        const order = unique('order');
        const runId = await park({ amount: 1, order }, { principalId, application });
        const filters: Readonly<Record<string, string>> = {
          tool: 'refund',
          principal_id: principalId,
          application,
          run_id: runId,
          q: order.toUpperCase(),
          from: '2020-01-01',
          to: '9999-01-01',
        };
        const query = `?limit=1&${name}=${encodeURIComponent(filters[name] ?? '')}`;
        const { pending } = await bench.read<ApprovalListData>(`/approvals${query}`);
        expect(pending.map(({ run_id }) => run_id)).toEqual([runId]);
        await bench.api.post(`/approvals/${pending[0]?.token}/reject`);
        const { entries } = await bench.read<ApprovalHistoryData>(`/approvals/history${query}`);
        expect(entries.map(({ run_id }) => run_id)).toEqual([runId]);
      },
    );

    itOnEachStore('orders by risk on request, in one page', async () => {
      bench.clock.setToNow();
      const application = unique('shop');
      const runs: Record<string, string> = {};
      for (const [key, ttlMs] of Object.entries({ first: 2 * HOUR, soon: HOUR, late: 3 * HOUR })) {
        const risk = key === 'first' ? [{ name: 'personal_data' as const, text: 'x' }] : [];
        const runId = (runs[key] = unique('run'));
        await bench.stores.approvals.park(
          newApproval({ runId, application, risk, ttlMs }),
          approvalEvidence,
          9,
        );
      }
      const of = async (query: string): Promise<ApprovalListData> =>
        bench.read<ApprovalListData>(`/approvals?application=${application}&limit=2${query}`);
      const byRisk = await of('&sort=risk');
      expect(byRisk.pending.map(({ run_id }) => run_id)).toEqual([runs['first'], runs['soon']]);
      expect(byRisk.next_cursor).toBeNull();
      const newest = await of('');
      expect(newest.pending.map(({ run_id }) => run_id)).toEqual([runs['late'], runs['soon']]);
      expect(await of('&sort=newest')).toEqual(newest);
      for (const place of ['cursor', 'after']) {
        const answer = await bench.api.get(`/approvals?sort=risk&${place}=7`);
        expectInvalidQuery(answer, 'approval-list', ['sort']);
      }
      expectInvalidQuery(await bench.api.get('/approvals?sort=age'), 'approval-list', ['sort']);
    });

    it('contract 3.6: refuses malformed filters', async () => {
      for (const [path, endpoint] of [
        ['/approvals', 'approval-list'],
        ['/approvals/history', 'approval-history'],
      ] as const) {
        const answer = await bench.api.get(`${path}?from=tomorrow&q=${'x'.repeat(501)}`);
        expectInvalidQuery(answer, endpoint, ['from', 'q']);
      }
    });

    it('shows each caller whether it can decide, and why not', async () => {
      bench.clock.setToNow();
      const runId = await park({ amount: 1 }, { principalId: 'ops-1' });
      const seenBy = async (as: string): Promise<unknown> => {
        const { data } = (await bench.api.get(`/approvals?run_id=${runId}`, { as })).body;
        const { can_decide, cannot_decide_reason } = (data as unknown as ApprovalListData).pending[0] ?? {};
        return [can_decide, cannot_decide_reason];
      };
      expect(await seenBy('second-operator')).toEqual([true, null]);
      expect(await seenBy('nameless')).toEqual([false, 'actor_required']);
      const token = (await shown(runId))?.token;
      const { approval_id: id } = (await shown(runId)) ?? {};
      await bench.api.post(`/approvals/${token}/reject`, { reason: 'no' });
      const { approval } = await bench.read<ApprovalDetailData>(`/approvals/${id}`);
      expect(approval).toMatchObject({
        can_decide: false,
        cannot_decide_reason: 'already_decided',
        policy: { needed: 1, given: 0 },
        decisions: [{ decision: 'rejected', decided_by: 'ops-1', reason: 'no', counts: true }],
      });
    });

    it('contract 7.6: the token has 256 bits, differs for each call, and is not shown to the model', async () => {
      bench.clock.setToNow();
      const args = { amount: 1 };
      const [one, other] = [await shown(await park(args)), await shown(await park(args))];
      expect(Buffer.from(one?.token ?? '', 'base64url')).toHaveLength(32);
      expect(one?.token).not.toBe(other?.token);
      expect(one?.arguments_digest).not.toBe(other?.arguments_digest);
      expect((await shown(one?.run_id ?? ''))?.token).toBe(one?.token);
    });

    it('shows arguments exactly as they will run, and warns about hidden characters in them', async () => {
      bench.clock.setToNow();
      const order = '\u202Eevil\u202C <b>A\u200B-1</b> 漢字 😀 "\\';
      const item = await shown(await park({ order, amount: 1 }));
      expect(item?.arguments).toMatchObject({ order });
      expect(item?.warnings.length).toBeGreaterThanOrEqual(3);
      for (const warning of item?.warnings ?? []) expect(warning).toMatch(/^"order" .+\.$/);
    });

    it.each([
      { passed: 3 * SECOND, ago: 'just now', left: 'in 1 hour' },
      { passed: 2 * 60 * SECOND, ago: '2 minutes ago', left: 'in 58 minutes' },
      { passed: 59 * 60 * SECOND + 30 * SECOND, ago: '1 hour ago', left: 'in 30 seconds' },
    ])('after $passed ms it shows $ago and $left', async ({ passed, ago, left }) => {
      bench.clock.setToNow();
      const runId = await park({ amount: 1 });
      const { created_at = '' } = (await shown(runId)) ?? {};
      bench.clock.set(new Date(Date.parse(created_at) + passed));
      expect(await shown(runId)).toMatchObject({ requested_ago: ago, expires_in: left });
    });

    it.each([
      { ttlMs: 2 * HOUR, left: 'in 2 hours' },
      { ttlMs: 24 * HOUR, left: 'in 1 day' },
      { ttlMs: 72 * HOUR, left: 'in 3 days' },
    ])('a call that waits $ttlMs ms expires $left', async ({ ttlMs, left }) => {
      bench.clock.setToNow();
      const runId = unique('run');
      await bench.stores.approvals.park(newApproval({ runId, ttlMs }), approvalEvidence, 20);
      expect(await shown(runId)).toMatchObject({ expires_in: left });
    });

    itOnEachStore('shows pending calls only, neither decided nor expired ones', async () => {
      bench.clock.setToNow();
      const runId = await park({ amount: 1 });
      const { token } = (await shown(runId)) ?? {};
      expect((await bench.api.call('POST', `/approvals/${token}/reject`)).status).toBe(200);
      expect(await shown(runId)).toBeUndefined();
      const expired = unique('run');
      await bench.stores.approvals.park(newApproval({ runId: expired, ttlMs: 0 }), approvalEvidence, 20);
      expect(await shown(expired)).toBeUndefined();
    });

    it('returns the newest first, at most 200, and the rest by next_cursor', async () => {
      bench.clock.setToNow();
      const waiting = (await list()).pending.length;
      for (let parked = waiting; parked < 205; parked++)
        await bench.stores.approvals.park(newApproval(), approvalEvidence, 20);
      const first = await list();
      const ids = first.pending.map(({ approval_id }) => approval_id);
      expect(ids).toHaveLength(200);
      expect(ids).toEqual(ids.toSorted((one, other) => other - one));
      expect(first.next_cursor).toBe(ids.at(-1));
      expect(Object.keys(first)).toEqual(['pending', 'next_cursor']);
      const rest = await bench.read<ApprovalListData>(`/approvals?cursor=${first.next_cursor}`);
      expect(rest.pending).toHaveLength(5);
      expect(rest.next_cursor).toBeNull();
      expect((await bench.read<ApprovalListData>('/approvals?limit=100000')).pending).toHaveLength(200);
      expect((await bench.read<ApprovalListData>('/approvals?limit=3')).pending).toHaveLength(3);
    });
  });
}
