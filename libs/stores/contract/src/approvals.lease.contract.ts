import assert from 'node:assert/strict';
import { evidenceTexts, LEASE_MS, NOTHING, park, parkApproved, parkClaimed } from './approval-acts.js';
import { approvalEvidence } from './builders.js';
import type { Runner, Stage } from './harness.js';

export function approvalsLeaseContract({ describe, it }: Runner, stage: Stage): void {
  describe('a lease', () => {
    it('is renewed by the holder of the fence', async () => {
      const { approvals } = stage.backend;
      const claimed = await parkClaimed(stage, 0);
      assert.equal(await approvals.renew(claimed.id, claimed.fence, LEASE_MS), true);
      const renewed = await approvals.find(claimed.id);
      assert.ok(claimed.leaseUntil !== null && renewed?.leaseUntil != null);
      assert.ok(renewed.leaseUntil > claimed.leaseUntil);
      assert.deepEqual(renewed, { ...claimed, leaseUntil: renewed.leaseUntil });
    });

    it('is not renewed under another fence, nor of a call that does not run', async () => {
      const { approvals } = stage.backend;
      const claimed = await parkClaimed(stage);
      const approved = await parkApproved(stage);
      assert.equal(await approvals.renew(claimed.id, claimed.fence + 1, LEASE_MS), false);
      assert.equal(await approvals.renew(approved.id, 0, LEASE_MS), false);
      assert.equal(await approvals.renew(approved.id + 1000, 1, LEASE_MS), false);
      await approvals.finish(claimed.id, claimed.fence, 'executed', NOTHING, approvalEvidence);
      assert.equal(await approvals.renew(claimed.id, claimed.fence, LEASE_MS), false);
    });

    it('that has run out lets another one claim the call, under the next fence', async () => {
      const { approvals } = stage.backend;
      const claimed = await parkClaimed(stage, 0);
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
      const { approvals } = stage.backend;
      const { id, fence } = await parkClaimed(stage);
      assert.equal(await approvals.claimAgain(id, fence, LEASE_MS), null);
      assert.equal(await approvals.giveUp(id, fence, NOTHING, approvalEvidence), null);
    });

    it('that has run out is taken over by exactly one of twenty at once', async () => {
      const { id, fence } = await parkClaimed(stage, 0);
      const claims = await stage.together(20, ({ approvals }) => approvals.claimAgain(id, fence, LEASE_MS));
      assert.deepEqual(
        claims.flatMap((claimed) => claimed?.fence ?? []),
        [fence + 1],
      );
    });

    it('that has run out is given up once, with evidence, and whoever comes back is late', async () => {
      const { approvals } = stage.backend;
      const { id, fence } = await parkClaimed(stage, 0);
      const error = { code: 'interrupted', message: 'nobody knows' };
      const ends = await stage.together(10, (backend) =>
        backend.approvals.giveUp(id, fence, { result: null, error }, approvalEvidence),
      );
      const [given, ...others] = ends.filter((end) => end !== null);
      assert.equal(others.length, 0);
      assert.deepEqual([given?.status, given?.error], ['outcome_unknown', error]);
      assert.equal((await evidenceTexts(stage)).length, 3);
      assert.equal(await approvals.finish(id, fence, 'executed', NOTHING, approvalEvidence), null);
    });

    it('that has run out is either renewed or given up, never both', async () => {
      for (let round = 0; round < 5; round++) {
        const { id, fence } = await parkClaimed(stage, 0);
        const [renewed, given] = await Promise.all([
          stage.backend.approvals.renew(id, fence, LEASE_MS),
          (await stage.another()).approvals.giveUp(id, fence, NOTHING, approvalEvidence),
        ]);
        assert.equal(renewed, given === null);
      }
    });

    it('is of no use under another fence', async () => {
      const { approvals } = stage.backend;
      const { id, fence } = await parkClaimed(stage, 0);
      assert.equal(await approvals.claimAgain(id, fence + 1, LEASE_MS), null);
      assert.equal(await approvals.giveUp(id, fence - 1, NOTHING, approvalEvidence), null);
      const pending = await park(stage);
      assert.equal(await approvals.claimAgain(pending.id, 0, LEASE_MS), null);
    });
  });
}
