import assert from 'node:assert/strict';
import type { Approval, RunEnd, RunResult } from '#contracts/approvals/approvals.js';
import type { Decision } from '#contracts/audit/record.js';
import {
  claiming,
  command,
  evidenceTexts,
  noEvidence,
  NOTHING,
  park,
  parkApproved,
  parkClaimed,
  parkFinished,
  LEASE_MS,
} from './approval-helpers.js';
import { approvalEvidence } from './builders.js';
import type { Runner, BackendFixture } from './backend-fixture.js';
import { UNSTORABLE_TEXTS } from './hostile-text.js';

const runOf = (text: string): RunResult => ({
  result: { [text]: [text] },
  error: { code: text, message: text },
});

export function approvalsRunContract({ describe, it }: Runner, fixture: BackendFixture): void {
  const finish = (
    { id, fence }: Pick<Approval, 'id' | 'fence'>,
    end: RunEnd,
    run = NOTHING,
  ): Promise<Approval | null> => fixture.backend.approvals.finish(id, fence, end, run, approvalEvidence);

  describe('claim', () => {
    it('moves an approved call to executing', async () => {
      const approved = await parkApproved(fixture);
      const claimed = await fixture.backend.approvals.claim(approved.id, claiming());
      const { leaseUntil = null } = claimed ?? {};
      assert.ok(leaseUntil !== null && leaseUntil > approved.createdAt);
      assert.deepEqual(claimed, { ...approved, status: 'executing', fence: 1, leaseUntil });
      assert.deepEqual(await fixture.backend.approvals.find(approved.id), claimed);
    });

    it('is refused if the decision is older than `withinMs`', async () => {
      const { approvals } = fixture.backend;
      const approved = await parkApproved(fixture);
      assert.equal(await approvals.claim(approved.id, claiming({ withinMs: 0 })), null);
      assert.deepEqual(await approvals.find(approved.id), approved);
    });

    it('succeeds once', async () => {
      const { id } = await parkClaimed(fixture);
      assert.equal(await fixture.backend.approvals.claim(id, claiming()), null);
    });

    it('succeeds for exactly one of twenty concurrent callers', async () => {
      const { id } = await parkApproved(fixture);
      const claims = await fixture.concurrently(20, ({ approvals }) => approvals.claim(id, claiming()));
      assert.equal(claims.filter((claimed) => claimed !== null).length, 1);
    });

    it('is refused for a call that is pending, rejected, expired, finished or does not exist', async () => {
      const { approvals } = fixture.backend;
      const pending = await park(fixture);
      const rejected = await park(fixture);
      await approvals.decide(rejected.tokenHash, command({ verdict: 'rejected' }));
      const expired = await park(fixture, { ttlMs: 0 });
      await approvals.decide(expired.tokenHash, command());
      const finished = await parkFinished(fixture, 'executed');
      for (const id of [pending.id, rejected.id, expired.id, finished.id, finished.id + 1000, 0]) {
        assert.equal(await approvals.claim(id, claiming()), null);
      }
    });
  });

  describe('claim, with an objection', () => {
    it('supersedes the call with that evidence, and passes the stored approval to the callback', async () => {
      const { approvals } = fixture.backend;
      const approved = await parkApproved(fixture);
      const seen: Approval[] = [];
      const objection = (approval: Approval): Decision => {
        seen.push(approval);
        return approvalEvidence({ ...approval, status: 'superseded' });
      };
      const superseded = await approvals.claim(approved.id, claiming({ objection }));
      const { finishedAt = null } = superseded ?? {};
      assert.ok(finishedAt !== null && finishedAt >= approved.createdAt);
      assert.deepEqual(superseded, { ...approved, status: 'superseded', finishedAt });
      assert.deepEqual(await approvals.find(approved.id), superseded);
      const { leaseUntil = null } = seen[0] ?? {};
      assert.deepEqual(seen, [{ ...approved, status: 'executing', fence: 1, leaseUntil }]);
      assert.deepEqual((await evidenceTexts(fixture)).slice(2), [`approval ${approved.id} is superseded`]);
    });

    it('changes nothing if the callback throws', async () => {
      const { approvals } = fixture.backend;
      const approved = await parkApproved(fixture);
      await assert.rejects(approvals.claim(approved.id, claiming({ objection: noEvidence })), /no evidence/);
      assert.deepEqual(await approvals.find(approved.id), approved);
      assert.equal((await approvals.claim(approved.id, claiming()))?.fence, 1);
    });
  });

  describe('finish', () => {
    for (const [end, run] of [
      ['executed', { result: { refunded: 25, ids: ['b', 'a'], deep: { none: null } }, error: null }],
      ['executed', NOTHING],
      ['failed', { result: null, error: { code: 'tool_failed', message: 'the bank said no' } }],
      ['outcome_unknown', { result: null, error: { code: 'timed_out', message: 'it took too long' } }],
    ] as const) {
      it(`ends a run as ${end} with ${JSON.stringify(run)}`, async () => {
        const claimed = await parkClaimed(fixture);
        const finished = await finish(claimed, end, run);
        assert.ok(finished?.finishedAt instanceof Date && finished.finishedAt >= claimed.createdAt);
        const { finishedAt } = finished;
        assert.deepEqual(finished, { ...claimed, ...run, status: end, leaseUntil: null, finishedAt });
        assert.deepEqual(await fixture.backend.approvals.find(claimed.id), finished);
      });
    }

    for (const result of ['done', '', 0, false, [1, [2]], 1e21, { z: 1, a: 2 }]) {
      it(`stores the tool result ${JSON.stringify(result)}`, async () => {
        const claimed = await parkClaimed(fixture);
        await finish(claimed, 'executed', { result, error: null });
        const found = await fixture.backend.approvals.find(claimed.id);
        assert.equal(JSON.stringify(found?.result), JSON.stringify(result));
      });
    }

    it('stores an undefined tool result as null', async () => {
      const claimed = await parkClaimed(fixture);
      assert.equal((await finish(claimed, 'executed', { result: undefined, error: null }))?.result, null);
      assert.equal((await fixture.backend.approvals.find(claimed.id))?.result, null);
    });

    it('commits the evidence once', async () => {
      const { id } = await parkFinished(fixture, 'failed');
      assert.deepEqual((await evidenceTexts(fixture)).slice(2), [`approval ${id} is failed`]);
    });

    it('happens once: a second call changes nothing and writes no evidence', async () => {
      const claimed = await parkClaimed(fixture);
      const first = await finish(claimed, 'executed', { result: 'first', error: null });
      assert.equal(await finish(claimed, 'failed', { result: 'second', error: null }), null);
      assert.deepEqual(await fixture.backend.approvals.find(claimed.id), first);
      assert.equal((await evidenceTexts(fixture)).length, 3);
    });

    it('succeeds for exactly one of ten concurrent callers', async () => {
      const { id, fence } = await parkClaimed(fixture);
      const ends = await fixture.concurrently(10, ({ approvals }, index) =>
        approvals.finish(id, fence, index % 2 === 0 ? 'executed' : 'failed', NOTHING, approvalEvidence),
      );
      assert.equal(ends.filter((end) => end !== null).length, 1);
      assert.equal((await evidenceTexts(fixture)).length, 3);
    });

    it('is refused for a call that is pending, approved, rejected or does not exist', async () => {
      const pending = await park(fixture);
      const approved = await parkApproved(fixture);
      const rejected = await park(fixture);
      await fixture.backend.approvals.decide(rejected.tokenHash, command({ verdict: 'rejected' }));
      for (const id of [pending.id, approved.id, rejected.id, rejected.id + 1000]) {
        for (const fence of [0, 1]) assert.equal(await finish({ id, fence }, 'executed'), null);
      }
      assert.deepEqual(await fixture.backend.approvals.find(approved.id), approved);
    });

    it('is refused with a fence other than the current one', async () => {
      const claimed = await parkClaimed(fixture);
      for (const fence of [-1, 0, 2]) assert.equal(await finish({ ...claimed, fence }, 'executed'), null);
      assert.deepEqual(await fixture.backend.approvals.find(claimed.id), claimed);
      assert.equal((await finish(claimed, 'executed'))?.status, 'executed');
    });

    it('changes nothing if the evidence builder throws', async () => {
      const { approvals } = fixture.backend;
      const claimed = await parkClaimed(fixture);
      const { id, fence } = claimed;
      await assert.rejects(approvals.finish(id, fence, 'executed', NOTHING, noEvidence), /no evidence/);
      assert.deepEqual(await approvals.find(id), claimed);
      assert.equal((await finish(claimed, 'executed'))?.status, 'executed');
    });

    for (const { name, given, kept } of UNSTORABLE_TEXTS) {
      it(`replaces ${name} in results and errors`, async () => {
        const claimed = await parkClaimed(fixture);
        await finish(claimed, 'failed', runOf(given));
        const found = await fixture.backend.approvals.find(claimed.id);
        assert.deepEqual({ result: found?.result, error: found?.error }, runOf(kept));
      });
    }
  });

  describe('a lease', () => {
    it('is renewed with the current fence', async () => {
      const { approvals } = fixture.backend;
      const claimed = await parkClaimed(fixture, 0);
      assert.equal(await approvals.renew(claimed.id, claimed.fence, LEASE_MS), true);
      const renewed = await approvals.find(claimed.id);
      assert.ok(claimed.leaseUntil !== null && renewed?.leaseUntil != null);
      assert.ok(renewed.leaseUntil > claimed.leaseUntil);
      assert.deepEqual(renewed, { ...claimed, leaseUntil: renewed.leaseUntil });
    });

    it('is not renewed with another fence or for a call that does not run', async () => {
      const { approvals } = fixture.backend;
      const claimed = await parkClaimed(fixture);
      const approved = await parkApproved(fixture);
      assert.equal(await approvals.renew(claimed.id, claimed.fence + 1, LEASE_MS), false);
      assert.equal(await approvals.renew(approved.id, 0, LEASE_MS), false);
      assert.equal(await approvals.renew(approved.id + 1000, 1, LEASE_MS), false);
      await approvals.finish(claimed.id, claimed.fence, 'executed', NOTHING, approvalEvidence);
      assert.equal(await approvals.renew(claimed.id, claimed.fence, LEASE_MS), false);
    });

    it('can be claimed again after it expired, with the next fence', async () => {
      const { approvals } = fixture.backend;
      const claimed = await parkClaimed(fixture, 0);
      const again = await approvals.claimAgain(claimed.id, claimed.fence, LEASE_MS);
      assert.equal(again?.fence, claimed.fence + 1);
      assert.equal(again.status, 'executing');
      assert.equal(await approvals.renew(claimed.id, claimed.fence, LEASE_MS), false);
      assert.equal(
        await approvals.finish(claimed.id, claimed.fence, 'executed', NOTHING, approvalEvidence),
        null,
      );
    });

    it('cannot be claimed again or ended before it expires', async () => {
      const { approvals } = fixture.backend;
      const { id, fence } = await parkClaimed(fixture);
      assert.equal(await approvals.claimAgain(id, fence, LEASE_MS), null);
      assert.equal(await approvals.markUnknown(id, fence, NOTHING, approvalEvidence), null);
    });

    it('is claimed again by exactly one of twenty concurrent callers after it expired', async () => {
      const { id, fence } = await parkClaimed(fixture, 0);
      const claims = await fixture.concurrently(20, ({ approvals }) =>
        approvals.claimAgain(id, fence, LEASE_MS),
      );
      assert.deepEqual(
        claims.flatMap((claimed) => claimed?.fence ?? []),
        [fence + 1],
      );
    });

    it('is ended once after it expired, with evidence, and the run can no longer finish', async () => {
      const { approvals } = fixture.backend;
      const { id, fence } = await parkClaimed(fixture, 0);
      const error = { code: 'interrupted', message: 'the process ended' };
      const ends = await fixture.concurrently(10, (backend) =>
        backend.approvals.markUnknown(id, fence, { result: null, error }, approvalEvidence),
      );
      const [given, ...others] = ends.filter((end) => end !== null);
      assert.equal(others.length, 0);
      assert.deepEqual([given?.status, given?.error], ['outcome_unknown', error]);
      assert.equal((await evidenceTexts(fixture)).length, 3);
      assert.equal(await approvals.finish(id, fence, 'executed', NOTHING, approvalEvidence), null);
    });

    it('is either renewed or ended after it expired', async () => {
      for (let round = 0; round < 5; round++) {
        const { id, fence } = await parkClaimed(fixture, 0);
        const [renewed, given] = await Promise.all([
          fixture.backend.approvals.renew(id, fence, LEASE_MS),
          (await fixture.another()).approvals.markUnknown(id, fence, NOTHING, approvalEvidence),
        ]);
        assert.equal(renewed, given === null);
      }
    });

    it('cannot be claimed again or ended with another fence', async () => {
      const { approvals } = fixture.backend;
      const { id, fence } = await parkClaimed(fixture, 0);
      assert.equal(await approvals.claimAgain(id, fence + 1, LEASE_MS), null);
      assert.equal(await approvals.markUnknown(id, fence - 1, NOTHING, approvalEvidence), null);
      const pending = await park(fixture);
      assert.equal(await approvals.claimAgain(pending.id, 0, LEASE_MS), null);
    });
  });
}
