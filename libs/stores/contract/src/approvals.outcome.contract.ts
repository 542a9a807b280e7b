import assert from 'node:assert/strict';
import { command, park, parkApproved, parkClaimed, parkFinished, resolution } from './approval-acts.js';
import { approvalEvidence } from './builders.js';
import type { Runner, Stage } from './harness.js';

const LEASE_MS = 60_000;

export function approvalsOutcomeContract({ describe, it }: Runner, stage: Stage): void {
  const untoldIds = async (graceMs = 0, leaseMs = LEASE_MS, limit = 100): Promise<number[]> =>
    (await stage.backend.approvals.untold(graceMs, leaseMs, limit)).map(({ id }) => id);

  describe('outcomes', () => {
    it('are settled once nothing more can come by itself', async () => {
      const { approvals } = stage.backend;
      const open = [await park(stage), await parkApproved(stage), await parkClaimed(stage)];
      const rejected = await park(stage);
      await approvals.decide(rejected.tokenHash, command({ verdict: 'rejected' }));
      const expired = await park(stage, { ttlMs: 0 });
      await approvals.expire(expired.id, approvalEvidence);
      const ran = await parkFinished(stage, 'executed');
      const unknown = await parkFinished(stage, 'outcome_unknown');
      const ended = [rejected.id, expired.id, ran.id, unknown.id];
      const settled = await approvals.settled([...open.map(({ id }) => id), ...ended, 999_999]);
      assert.deepEqual(
        settled.map(({ id }) => id).toSorted((a, b) => a - b),
        ended,
      );
      assert.deepEqual(await approvals.settled([]), []);
    });

    it('that nobody was told of are handed out, the longest standing first, once', async () => {
      await parkClaimed(stage);
      const first = await parkFinished(stage, 'executed');
      const second = await parkFinished(stage, 'failed');
      assert.deepEqual(await untoldIds(0, LEASE_MS, 1), [first.id]);
      assert.deepEqual(await untoldIds(), [second.id]);
      assert.deepEqual(await untoldIds(), []);
    });

    it('are handed out to one of many at once', async () => {
      const { id } = await parkFinished(stage, 'executed');
      const taken = await stage.together(10, ({ approvals }) => approvals.untold(0, LEASE_MS, 10));
      assert.deepEqual(
        taken.flat().map((approval) => approval.id),
        [id],
      );
    });

    it('are handed out again once their time is up, until somebody was told', async () => {
      const { id, status } = await parkFinished(stage, 'executed');
      assert.deepEqual(await untoldIds(0, 0), [id]);
      assert.deepEqual(await untoldIds(0, 0), [id]);
      await stage.backend.approvals.told(id, status);
      assert.deepEqual(await untoldIds(0, 0), []);
    });

    it('that stand for a shorter time are not handed out yet', async () => {
      await parkFinished(stage, 'executed');
      assert.deepEqual(await untoldIds(3_600_000), []);
    });

    it('that were settled by an operator are handed out anew, even while the unknown one was told', async () => {
      const { approvals } = stage.backend;
      const { id, status } = await parkFinished(stage, 'outcome_unknown');
      assert.deepEqual(await untoldIds(), [id]);
      await approvals.resolve(id, resolution());
      await approvals.told(id, status);
      const [resolved] = await approvals.untold(0, LEASE_MS, 10);
      assert.deepEqual([resolved?.id, resolved?.status], [id, 'executed']);
    });
  });

  describe('the sealed token', () => {
    it('is kept with a pending call, and forgotten when it was handed over', async () => {
      const { approvals } = stage.backend;
      const { id } = await park(stage, { sealedToken: 'c2VhbGVk' });
      assert.equal(await approvals.sealedToken(id), 'c2VhbGVk');
      await approvals.forgetToken(id);
      assert.equal(await approvals.sealedToken(id), null);
      assert.equal(await approvals.sealedToken(999_999), null);
    });

    it('is gone with the decision, or the end of its time', async () => {
      const { approvals } = stage.backend;
      for (const verdict of ['approved', 'rejected'] as const) {
        const { id, tokenHash } = await park(stage, { sealedToken: 'c2VhbGVk' });
        await approvals.decide(tokenHash, command({ verdict }));
        assert.equal(await approvals.sealedToken(id), null);
      }
      const { id } = await park(stage, { sealedToken: 'c2VhbGVk', ttlMs: 0 });
      await approvals.expire(id, approvalEvidence);
      assert.equal(await approvals.sealedToken(id), null);
    });
  });
}
