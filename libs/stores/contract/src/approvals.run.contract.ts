import assert from 'node:assert/strict';
import type { Approval, RunEnd, RunResult } from '../../../contracts/src/approvals.js';
import type { Decision } from '../../../contracts/src/audit.js';
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

    it('is not granted once the decision is older than it may be', async () => {
      const { approvals } = fixture.backend;
      const approved = await parkApproved(fixture);
      assert.equal(await approvals.claim(approved.id, claiming({ withinMs: 0 })), null);
      assert.deepEqual(await approvals.find(approved.id), approved);
    });

    it('is granted once', async () => {
      const { id } = await parkClaimed(fixture);
      assert.equal(await fixture.backend.approvals.claim(id, claiming()), null);
    });

    it('is granted to exactly one of twenty at once', async () => {
      const { id } = await parkApproved(fixture);
      const claims = await fixture.concurrently(20, ({ approvals }) => approvals.claim(id, claiming()));
      assert.equal(claims.filter((claimed) => claimed !== null).length, 1);
    });

    it('is not granted for a call that is pending, rejected, expired, finished or unknown', async () => {
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
    it('supersedes the call instead, with that evidence, and asks about what is in the store', async () => {
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

    it('that cannot be made changes nothing', async () => {
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
      it(`keeps ${JSON.stringify(result)} as what the tool returned`, async () => {
        const claimed = await parkClaimed(fixture);
        await finish(claimed, 'executed', { result, error: null });
        const found = await fixture.backend.approvals.find(claimed.id);
        assert.equal(JSON.stringify(found?.result), JSON.stringify(result));
      });
    }

    it('keeps a tool that returned nothing as null', async () => {
      const claimed = await parkClaimed(fixture);
      assert.equal((await finish(claimed, 'executed', { result: undefined, error: null }))?.result, null);
      assert.equal((await fixture.backend.approvals.find(claimed.id))?.result, null);
    });

    it('commits the evidence of the end once', async () => {
      const { id } = await parkFinished(fixture, 'failed');
      assert.deepEqual((await evidenceTexts(fixture)).slice(2), [`approval ${id} is failed`]);
    });

    it('happens once: the second end is not taken and leaves no evidence', async () => {
      const claimed = await parkClaimed(fixture);
      const first = await finish(claimed, 'executed', { result: 'first', error: null });
      assert.equal(await finish(claimed, 'failed', { result: 'second', error: null }), null);
      assert.deepEqual(await fixture.backend.approvals.find(claimed.id), first);
      assert.equal((await evidenceTexts(fixture)).length, 3);
    });

    it('is taken from exactly one of ten at once', async () => {
      const { id, fence } = await parkClaimed(fixture);
      const ends = await fixture.concurrently(10, ({ approvals }, index) =>
        approvals.finish(id, fence, index % 2 === 0 ? 'executed' : 'failed', NOTHING, approvalEvidence),
      );
      assert.equal(ends.filter((end) => end !== null).length, 1);
      assert.equal((await evidenceTexts(fixture)).length, 3);
    });

    it('is not taken of a call that is pending, approved, rejected or unknown', async () => {
      const pending = await park(fixture);
      const approved = await parkApproved(fixture);
      const rejected = await park(fixture);
      await fixture.backend.approvals.decide(rejected.tokenHash, command({ verdict: 'rejected' }));
      for (const id of [pending.id, approved.id, rejected.id, rejected.id + 1000]) {
        for (const fence of [0, 1]) assert.equal(await finish({ id, fence }, 'executed'), null);
      }
      assert.deepEqual(await fixture.backend.approvals.find(approved.id), approved);
    });

    it('is not taken from anybody but the holder of the present fence', async () => {
      const claimed = await parkClaimed(fixture);
      for (const fence of [-1, 0, 2]) assert.equal(await finish({ ...claimed, fence }, 'executed'), null);
      assert.deepEqual(await fixture.backend.approvals.find(claimed.id), claimed);
      assert.equal((await finish(claimed, 'executed'))?.status, 'executed');
    });

    it('changes nothing when its evidence cannot be built', async () => {
      const { approvals } = fixture.backend;
      const claimed = await parkClaimed(fixture);
      const { id, fence } = claimed;
      await assert.rejects(approvals.finish(id, fence, 'executed', NOTHING, noEvidence), /no evidence/);
      assert.deepEqual(await approvals.find(id), claimed);
      assert.equal((await finish(claimed, 'executed'))?.status, 'executed');
    });

    for (const { name, given, kept } of UNSTORABLE_TEXTS) {
      it(`scrubs ${name} in results and errors`, async () => {
        const claimed = await parkClaimed(fixture);
        await finish(claimed, 'failed', runOf(given));
        const found = await fixture.backend.approvals.find(claimed.id);
        assert.deepEqual({ result: found?.result, error: found?.error }, runOf(kept));
      });
    }
  });

  describe('a lease', () => {
    it('is renewed by the holder of the fence', async () => {
      const { approvals } = fixture.backend;
      const claimed = await parkClaimed(fixture, 0);
      assert.equal(await approvals.renew(claimed.id, claimed.fence, LEASE_MS), true);
      const renewed = await approvals.find(claimed.id);
      assert.ok(claimed.leaseUntil !== null && renewed?.leaseUntil != null);
      assert.ok(renewed.leaseUntil > claimed.leaseUntil);
      assert.deepEqual(renewed, { ...claimed, leaseUntil: renewed.leaseUntil });
    });

    it('is not renewed under another fence, nor of a call that does not run', async () => {
      const { approvals } = fixture.backend;
      const claimed = await parkClaimed(fixture);
      const approved = await parkApproved(fixture);
      assert.equal(await approvals.renew(claimed.id, claimed.fence + 1, LEASE_MS), false);
      assert.equal(await approvals.renew(approved.id, 0, LEASE_MS), false);
      assert.equal(await approvals.renew(approved.id + 1000, 1, LEASE_MS), false);
      await approvals.finish(claimed.id, claimed.fence, 'executed', NOTHING, approvalEvidence);
      assert.equal(await approvals.renew(claimed.id, claimed.fence, LEASE_MS), false);
    });

    it('that has run out lets another one claim the call, under the next fence', async () => {
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

    it('that has not run out keeps everybody else away', async () => {
      const { approvals } = fixture.backend;
      const { id, fence } = await parkClaimed(fixture);
      assert.equal(await approvals.claimAgain(id, fence, LEASE_MS), null);
      assert.equal(await approvals.giveUp(id, fence, NOTHING, approvalEvidence), null);
    });

    it('that has run out is taken over by exactly one of twenty at once', async () => {
      const { id, fence } = await parkClaimed(fixture, 0);
      const claims = await fixture.concurrently(20, ({ approvals }) =>
        approvals.claimAgain(id, fence, LEASE_MS),
      );
      assert.deepEqual(
        claims.flatMap((claimed) => claimed?.fence ?? []),
        [fence + 1],
      );
    });

    it('that has run out is given up once, with evidence, and whoever comes back is late', async () => {
      const { approvals } = fixture.backend;
      const { id, fence } = await parkClaimed(fixture, 0);
      const error = { code: 'interrupted', message: 'nobody knows' };
      const ends = await fixture.concurrently(10, (backend) =>
        backend.approvals.giveUp(id, fence, { result: null, error }, approvalEvidence),
      );
      const [given, ...others] = ends.filter((end) => end !== null);
      assert.equal(others.length, 0);
      assert.deepEqual([given?.status, given?.error], ['outcome_unknown', error]);
      assert.equal((await evidenceTexts(fixture)).length, 3);
      assert.equal(await approvals.finish(id, fence, 'executed', NOTHING, approvalEvidence), null);
    });

    it('that has run out is either renewed or given up, never both', async () => {
      for (let round = 0; round < 5; round++) {
        const { id, fence } = await parkClaimed(fixture, 0);
        const [renewed, given] = await Promise.all([
          fixture.backend.approvals.renew(id, fence, LEASE_MS),
          (await fixture.another()).approvals.giveUp(id, fence, NOTHING, approvalEvidence),
        ]);
        assert.equal(renewed, given === null);
      }
    });

    it('is of no use under another fence', async () => {
      const { approvals } = fixture.backend;
      const { id, fence } = await parkClaimed(fixture, 0);
      assert.equal(await approvals.claimAgain(id, fence + 1, LEASE_MS), null);
      assert.equal(await approvals.giveUp(id, fence - 1, NOTHING, approvalEvidence), null);
      const pending = await park(fixture);
      assert.equal(await approvals.claimAgain(pending.id, 0, LEASE_MS), null);
    });
  });
}
