import { beforeEach, describe, expect } from '@jest/globals';
import type {
  ApprovalDetailData,
  ApprovalHistoryData,
  ApprovalResolutionData,
} from '#contracts/approvals/approvals.api.js';
import type { Approval, NewApproval, RunEnd } from '#contracts/approvals/approvals.js';
import { changed, claiming, command, finishing, NOTHING } from '#stores/contract/approval-helpers.js';
import { approvalEvidence, newApproval } from '#stores/contract/builders.js';
import type { Answer } from '../support/client.js';
import { expectEnvelope, expectError, expectInvalidQuery } from '../support/envelope.js';
import { describeOnEachStore } from '../support/hosts.js';
import { unique } from '../reads/material.js';

const HISTORY = 'approval-history';
const DETAIL = 'approval-detail';
const RESOLUTION = 'approval-resolution';

describeOnEachStore({ settings: { 'hitl.enabled': true } }, (bench) => {
  const { it, itOnEachStore } = bench;

  let tool: string;

  beforeEach(() => {
    bench.clock.setToNow();
    tool = unique('tool');
  });

  async function pending(parts: Partial<NewApproval> = {}): Promise<Approval> {
    const parked = await bench.stores.approvals.park(newApproval({ tool, ...parts }), approvalEvidence, 1000);
    if (parked === null) throw new Error('it is not parked');
    return parked.approval;
  }

  async function decided(actor: string, verdict: 'approved' | 'rejected'): Promise<Approval> {
    return changed(bench.stores, await pending(), command({ verdict, actorId: actor }));
  }

  async function ended(end: RunEnd): Promise<Approval> {
    const claimed = await changed(bench.stores, await decided('ops-1', 'approved'), claiming());
    const error = { code: 'timed_out', message: 'nobody knows' };
    const run = end === 'outcome_unknown' ? { result: null, error } : NOTHING;
    return changed(bench.stores, claimed, finishing(end, run));
  }

  const history = (query = ''): Promise<ApprovalHistoryData> =>
    bench.read<ApprovalHistoryData>(`/approvals/history?tool=${tool}${query}`);
  const idsOf = ({ entries }: ApprovalHistoryData): readonly number[] =>
    entries.map(({ approval_id }) => approval_id);
  const resolve = (id: number | string, body?: unknown, as?: 'second-operator' | 'reader' | null) =>
    bench.api.post(`/approvals/${id}/resolve`, body, as === undefined ? {} : { as });

  describe('contract 8: GET /approvals/history', () => {
    itOnEachStore('shows calls that are not pending, newest first, with actor and outcome', async () => {
      await pending();
      const rejected = await decided('ops-2', 'rejected');
      const unknown = await ended('outcome_unknown');
      const answer = await bench.api.get(`/approvals/history?tool=${tool}`);
      expectEnvelope(answer, 200, HISTORY);
      const { entries, next_cursor } = answer.body.data as unknown as ApprovalHistoryData;
      expect(entries.map(({ approval_id }) => approval_id)).toEqual([unknown.id, rejected.id]);
      expect(next_cursor).toBeNull();
      expect(entries[0]).toEqual({
        approval_id: unknown.id,
        run_id: null,
        step_name: 'refund',
        status: 'outcome_unknown',
        tool,
        arguments_digest: unknown.argumentsDigest,
        reversible: false,
        idempotent: false,
        headline: null,
        warnings: [],
        risk: [],
        principal_id: null,
        application: null,
        request_id: null,
        policy_revision: 'policy-1',
        created_at: unknown.createdAt.toISOString(),
        expires_at: unknown.expiresAt.toISOString(),
        decision: 'approved',
        decided_by: 'ops-1',
        decided_at: unknown.decidedAt?.toISOString(),
        reason: null,
        finished_at: unknown.finishedAt?.toISOString(),
        resolved_by: null,
        resolved_at: null,
        resolved_reason: null,
        error: { code: 'timed_out', message: 'nobody knows' },
        audit_id: expect.any(Number),
        supersedes: null,
        superseded_by: null,
        edited_by: null,
        edit_reason: null,
        policy: { rule: null, needed: 1, given: 1, group: null, reason_required: false },
        decisions: [
          {
            decision: 'approved',
            decided_by: 'ops-1',
            decided_at: unknown.decidedAt?.toISOString(),
            reason: null,
            counts: true,
          },
        ],
      });
      for (const secret of [unknown.tokenHash, unknown.callMac, unknown.decisionMac ?? '-'])
        expect(answer.text).not.toContain(secret);
    });

    itOnEachStore('contract 8, 3.7: filters and returns pages', async () => {
      const [one, two] = [await decided('ops-1', 'rejected'), await decided('ops-2', 'rejected')];
      const three = await decided('ops-2', 'approved');
      expect(idsOf(await history('&actor=ops-2'))).toEqual([three.id, two.id]);
      expect(idsOf(await history('&status=rejected'))).toEqual([two.id, one.id]);
      expect(idsOf(await history('&status=rejected&actor=ops-2'))).toEqual([two.id]);
      expect(idsOf(await history('&actor=OPS-2'))).toEqual([]);
      expect(await history('&limit=2')).toMatchObject({ next_cursor: two.id });
      expect(idsOf(await history(`&limit=2&cursor=${two.id}`))).toEqual([one.id]);
    });

    it.each([
      ['status=perhaps', 'status'],
      ['cursor=0', 'cursor'],
      ['limit=-1', 'limit'],
      [`tool=${'x'.repeat(501)}`, 'tool'],
      [`actor=${'x'.repeat(501)}`, 'actor'],
    ])('contract 3.6: %s is refused', async (query, field) => {
      const calls = await bench.stores.callsDuring(async () => {
        expectInvalidQuery(await bench.api.get(`/approvals/history?${query}`), HISTORY, [field]);
      });
      expect(calls).toEqual([]);
    });

    it('contract 3.6: status=pending is refused with the route that lists pending calls', async () => {
      const answer = await bench.api.get('/approvals/history?status=pending');
      expectInvalidQuery(answer, HISTORY, ['status']);
      expect(answer.body.data.error.fields).toEqual({
        status: ['must not be pending: GET /approvals lists the calls that wait'],
      });
    });

    itOnEachStore('contract 3.4: ignores repeated parameters, and hostile values match nothing', async () => {
      const { id } = await decided('ops-1', 'rejected');
      expect(idsOf(await history('&actor=a&actor=b&status[]=x'))).toEqual([id]);
      expect(idsOf(await history(`&actor=${encodeURIComponent("' or 1=1 --\u0000")}`))).toEqual([]);
    });
  });

  describe('contract 8: GET /approvals/{approval_id}', () => {
    it('shows all fields of one approval, without the token', async () => {
      const waiting = await pending({ arguments: { order: 'A-1182', note: '<b>é</b>' }, runId: tool });
      const answer = await bench.api.get(`/approvals/${waiting.id}`, { as: 'reader' });
      expectEnvelope(answer, 200, DETAIL);
      const { approval } = answer.body.data as unknown as ApprovalDetailData;
      expect(approval).toMatchObject({
        approval_id: waiting.id,
        status: 'pending',
        arguments: { order: 'A-1182', note: '<b>é</b>' },
        result: null,
        attempts: 0,
      });
      expect(answer.text).not.toMatch(/"(token|[a-z_]*(mac|seal))"/);
      const ran = await ended('executed');
      const data = await bench.read<ApprovalDetailData>(`/approvals/${ran.id}`);
      expect(data.approval).toMatchObject({ status: 'executed', attempts: 1 });
    });

    it.each(['0', '-1', 'x', '1e3', '%00', '9'.repeat(40), '__proto__'])(
      'contract 2.3: answers 404 to %s without a store call',
      async (id) => {
        const calls = await bench.stores.callsDuring(async () => {
          expectError(await bench.api.get(`/approvals/${id}`), 404, DETAIL, 'not_found');
        });
        expect(calls).toEqual([]);
      },
    );

    it('contract 2.3: answers 404 to an unknown id', async () => {
      expectError(await bench.api.get('/approvals/9007199254740991'), 404, DETAIL, 'not_found');
    });
  });

  describe('contract 8: POST /approvals/{approval_id}/resolve', () => {
    const resolution = { status: 'executed', reason: 'the bank shows it' };

    const resolved = (answer: Answer): ApprovalResolutionData => {
      expectEnvelope(answer, 200, RESOLUTION);
      return answer.body.data as unknown as ApprovalResolutionData;
    };

    itOnEachStore.each(['executed', 'failed'] as const)(
      'settles an unknown outcome as %s',
      async (status) => {
        const { id } = await ended('outcome_unknown');
        const first = resolved(await resolve(id, { ...resolution, status }, 'second-operator'));
        expect(first).toEqual({
          approval_id: id,
          run_id: null,
          tool,
          status,
          resolved_by: 'ops-2',
          resolved_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
          reason: 'the bank shows it',
        });
        expect(resolved(await resolve(id, { ...resolution, status }, 'second-operator'))).toEqual(first);
        const { error } = expectError(await resolve(id, resolution), 409, RESOLUTION, 'already_decided').data;
        expect(error.details).toMatchObject({ status, resolved_by: 'ops-2', decided_by: 'ops-1' });
        expect(idsOf(await history('&actor=ops-2'))).toEqual([id]);
      },
    );

    itOnEachStore('exactly one of twenty concurrent requests succeeds', async () => {
      const { id } = await ended('outcome_unknown');
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, index) =>
          resolve(id, { ...resolution, status: index % 2 === 0 ? 'executed' : 'failed' }, 'second-operator'),
        ),
      );
      const statuses = new Set(
        answers.filter(({ status }) => status === 200).map((one) => resolved(one).status),
      );
      expect(statuses.size).toBe(1);
    });

    itOnEachStore('settles only approvals with an unknown outcome', async () => {
      const waiting = await pending();
      const { id } = await ended('failed');
      expectError(await resolve(waiting.id, resolution), 409, RESOLUTION, 'executing');
      expectError(await resolve(id, resolution), 409, RESOLUTION, 'already_decided');
      expectError(await resolve('9007199254740991', resolution), 404, RESOLUTION, 'not_found');
      expectError(await resolve('x', resolution), 404, RESOLUTION, 'not_found');
    });

    it('contract 2.4: checks gate, body, actor, fields, existence and state in this order', async () => {
      expectError(await resolve('x', '{', null), 401, RESOLUTION, 'unauthenticated');
      expectError(await resolve('x', '{', 'reader'), 403, RESOLUTION, 'forbidden');
      expectError(await resolve('x', '{'), 400, RESOLUTION, 'malformed_json');
      const nameless = await bench.api.post('/approvals/x/resolve', { status: 1 }, { as: 'nameless' });
      expectError(nameless, 403, RESOLUTION, 'actor_required');
      expectError(await resolve('x', { status: 'perhaps' }), 422, RESOLUTION, 'invalid_body');
      expectError(await resolve('x', resolution), 404, RESOLUTION, 'not_found');
    });

    it.each<readonly [unknown, readonly string[]]>([
      [{}, ['reason', 'status']],
      [{ status: 'executed' }, ['reason']],
      [{ status: 'rejected', reason: 'x' }, ['status']],
      [{ status: ['executed'], reason: ' ' }, ['reason', 'status']],
      [{ status: 'executed', reason: 7 }, ['reason']],
      [{ status: 'executed', reason: 'x'.repeat(1001) }, ['reason']],
    ])('contract 2.4: a body of %j is refused by its fields', async (body, fields) => {
      const { id } = await ended('outcome_unknown');
      const { error } = expectError(await resolve(id, body), 422, RESOLUTION, 'invalid_body').data;
      expect(Object.keys(error.fields ?? {}).toSorted()).toEqual(fields);
      expect((await bench.stores.approvals.find(id))?.status).toBe('outcome_unknown');
    });
  });
});
