import assert from 'node:assert/strict';
import {
  command,
  park,
  parkApproved,
  parkClaimed,
  parkFinished,
  resolution,
  TWO_APPROVERS,
  voting,
  evidenceTexts,
  noEvidence,
} from './approval-helpers.js';
import { approvalEvidence } from './builders.js';
import type { Runner, BackendFixture } from './backend-fixture.js';

const LEASE_MS = 60_000;
const HOUR_MS = 3_600_000;

export function approvalsNotifyContract({ describe, it }: Runner, fixture: BackendFixture): void {
  const untoldIds = async (graceMs = 0, limit = 100): Promise<number[]> =>
    (await fixture.backend.approvals.dueNotifications(graceMs, limit)).map(({ id }) => id);

  describe('outcomes', () => {
    it('are settled when the call has reached a final status', async () => {
      const { approvals } = fixture.backend;
      const open = [await park(fixture), await parkApproved(fixture), await parkClaimed(fixture)];
      const rejected = await park(fixture);
      await approvals.decide(rejected.tokenHash, command({ verdict: 'rejected' }));
      const expired = await park(fixture, { ttlMs: 0 });
      await approvals.expire(expired.id, approvalEvidence);
      const ran = await parkFinished(fixture, 'executed');
      const unknown = await parkFinished(fixture, 'outcome_unknown');
      const ended = [rejected.id, expired.id, ran.id, unknown.id];
      const settled = await approvals.settled([...open.map(({ id }) => id), ...ended, 999_999]);
      assert.deepEqual(
        settled.map(({ id }) => id).toSorted((a, b) => a - b),
        ended,
      );
      assert.deepEqual(await approvals.settled([]), []);
    });

    it('without a notification are returned, oldest outcome first', async () => {
      await parkClaimed(fixture);
      const first = await parkFinished(fixture, 'executed');
      const second = await parkFinished(fixture, 'failed');
      assert.deepEqual(await untoldIds(), [first.id, second.id]);
      assert.deepEqual(await untoldIds(0, 1), [first.id]);
    });

    it('are claimed by exactly one of many concurrent callers, and the attempt is counted', async () => {
      const finished = await parkFinished(fixture, 'executed');
      const taken = await fixture.concurrently(10, ({ approvals }) =>
        approvals.claimNotification(finished.id, LEASE_MS),
      );
      assert.deepEqual(
        taken.filter((approval) => approval !== null),
        [{ ...finished, notifyAttempts: 1 }],
      );
      assert.deepEqual(await untoldIds(), []);
    });

    it('can be claimed again after the lease expired, until they are marked as notified', async () => {
      const { approvals } = fixture.backend;
      const { id, status } = await parkFinished(fixture, 'executed');
      for (const notifyAttempts of [1, 2]) {
        assert.deepEqual(await untoldIds(), [id]);
        assert.equal((await approvals.claimNotification(id, 0))?.notifyAttempts, notifyAttempts);
      }
      await approvals.markNotified(id, status);
      assert.deepEqual(await untoldIds(), []);
      assert.equal(await approvals.claimNotification(id, 0), null);
    });

    it('wait for the given delay after a failed notification', async () => {
      const { approvals } = fixture.backend;
      const { id, status } = await parkFinished(fixture, 'executed');
      await approvals.claimNotification(id, LEASE_MS);
      await approvals.retryNotification(id, status, 0);
      assert.deepEqual(await untoldIds(), [id]);
      await approvals.retryNotification(id, status, LEASE_MS);
      assert.deepEqual(await untoldIds(), []);
      assert.equal(await approvals.claimNotification(id, LEASE_MS), null);
    });

    it('younger than the grace period are not returned', async () => {
      await parkFinished(fixture, 'executed');
      assert.deepEqual(await untoldIds(3_600_000), []);
    });

    it('cannot be claimed before the call has ended', async () => {
      const { approvals } = fixture.backend;
      for (const { id } of [await park(fixture), await parkApproved(fixture), await parkClaimed(fixture)]) {
        assert.equal(await approvals.claimNotification(id, LEASE_MS), null);
      }
      assert.equal(await approvals.claimNotification(999_999, LEASE_MS), null);
    });

    it('resolved by an operator are notified again, even while the unknown outcome is being notified', async () => {
      const { approvals } = fixture.backend;
      const { id, status } = await parkFinished(fixture, 'outcome_unknown');
      await approvals.claimNotification(id, LEASE_MS);
      await approvals.resolve(id, resolution());
      await approvals.retryNotification(id, status, LEASE_MS);
      await approvals.markNotified(id, status);
      const resolved = await approvals.claimNotification(id, LEASE_MS);
      assert.deepEqual([resolved?.status, resolved?.notifyAttempts], ['executed', 1]);
    });
  });

  describe('the encrypted token', () => {
    it('is stored with a pending call, and kept while votes are missing', async () => {
      const { approvals } = fixture.backend;
      const { id, tokenHash } = await park(fixture, { ...TWO_APPROVERS, encryptedToken: 'c2VhbGVk' });
      assert.equal(await approvals.encryptedToken(id), 'c2VhbGVk');
      await approvals.decide(tokenHash, voting({ actorId: 'ops-1', afterCount: 0 }));
      assert.equal(await approvals.encryptedToken(id), 'c2VhbGVk');
      assert.equal(await approvals.encryptedToken(999_999), null);
    });

    it('is deleted when the call is decided or expires', async () => {
      const { approvals } = fixture.backend;
      for (const verdict of ['approved', 'rejected'] as const) {
        const { id, tokenHash } = await park(fixture, { encryptedToken: 'c2VhbGVk' });
        await approvals.decide(tokenHash, command({ verdict }));
        assert.equal(await approvals.encryptedToken(id), null);
      }
      const { id } = await park(fixture, { encryptedToken: 'c2VhbGVk', ttlMs: 0 });
      await approvals.expire(id, approvalEvidence);
      assert.equal(await approvals.encryptedToken(id), null);
    });
  });
}

export function approvalsRemindContract({ describe, it }: Runner, fixture: BackendFixture): void {
  const due = async (kind: 'reminded' | 'escalated', afterMs = 0): Promise<number[]> =>
    (await fixture.backend.approvals.dueReminders(kind, afterMs, 10)).map(({ id }) => id);

  describe('remind', () => {
    it('records each kind of reminder once, with its evidence', async () => {
      const { approvals } = fixture.backend;
      const parked = await park(fixture);
      for (const kind of ['reminded', 'escalated'] as const) {
        assert.deepEqual(await due(kind), [parked.id]);
        assert.deepEqual(await approvals.remind(parked.id, kind, 0, approvalEvidence), parked);
        assert.deepEqual(await due(kind), []);
        assert.equal(await approvals.remind(parked.id, kind, 0, noEvidence), null);
      }
      assert.equal((await evidenceTexts(fixture)).length, 3);
      assert.deepEqual(await approvals.find(parked.id), parked);
    });

    it('skips calls that wait for a shorter time, are decided or have expired', async () => {
      const { approvals } = fixture.backend;
      const young = await park(fixture);
      const others = [await parkApproved(fixture), await park(fixture, { ttlMs: 0 })];
      assert.deepEqual(await due('reminded', HOUR_MS), []);
      assert.deepEqual(await due('reminded'), [young.id]);
      assert.equal(await approvals.remind(young.id, 'reminded', HOUR_MS, noEvidence), null);
      for (const { id } of others) assert.equal(await approvals.remind(id, 'reminded', 0, noEvidence), null);
    });

    it('records nothing if the evidence builder throws', async () => {
      const { id } = await park(fixture);
      await assert.rejects(fixture.backend.approvals.remind(id, 'reminded', 0, noEvidence), /no evidence/);
      assert.deepEqual(await due('reminded'), [id]);
    });

    it('is granted to one of ten concurrent instances', async () => {
      const { id } = await park(fixture);
      const results = await fixture.concurrently(10, ({ approvals }) =>
        approvals.remind(id, 'escalated', 0, approvalEvidence),
      );
      assert.equal(results.filter((result) => result !== null).length, 1);
      assert.equal((await evidenceTexts(fixture)).length, 2);
    });
  });
}
