// The lists of approvals that something must be done with: recovery, reminders, and outcomes to notify.
import assert from 'node:assert/strict';
import type { ReminderKind, StuckKind } from '#contracts/stores/approvals.store.js';
import {
  changed,
  command,
  LEASE_MS,
  park,
  parkApproved,
  parkClaimed,
  parkFinished,
  resolution,
} from './approval-helpers.js';
import { type BackendFixture, entriesOf, pagesOf, type Runner } from './backend-fixture.js';

const HOUR = 3_600_000;

export function approvalsDueContract({ describe, it }: Runner, fixture: BackendFixture): void {
  const stuckIds = async (kind: StuckKind, forMs = 0): Promise<number[]> =>
    (await entriesOf((page) => fixture.backend.approvals.stuck(kind, forMs, page))).map(({ id }) => id);
  const reminderIds = async (kind: ReminderKind, afterMs = 0): Promise<number[]> =>
    (await fixture.backend.approvals.dueReminders(kind, afterMs, 10)).map(({ id }) => id);
  const notificationIds = async (graceMs = 0, limit = 100): Promise<number[]> =>
    (await fixture.backend.approvals.dueNotifications(graceMs, limit)).map(({ id }) => id);

  describe('stuck', () => {
    it('returns overdue, unrun and lost calls separately, and those of at least the given time', async () => {
      const overdue = await park(fixture, { ttlMs: -1000 });
      const long = await park(fixture, { ttlMs: -2 * HOUR });
      await park(fixture);
      const unrun = await parkApproved(fixture);
      const lost = await parkClaimed(fixture, 0);
      await parkClaimed(fixture);
      await parkFinished(fixture, 'executed');
      assert.deepEqual(await stuckIds('overdue'), [long.id, overdue.id]);
      assert.deepEqual(await stuckIds('unrun'), [unrun.id]);
      assert.deepEqual(await stuckIds('lost'), [lost.id]);
      assert.deepEqual(await stuckIds('restored'), []);
      assert.deepEqual(await stuckIds('overdue', HOUR), [long.id]);
      assert.deepEqual(await stuckIds('unrun', HOUR), []);
      assert.deepEqual(await stuckIds('lost', HOUR), []);
    });

    it('returns pages, newest first', async () => {
      const ids: number[] = [];
      for (let round = 0; round < 5; round++) ids.unshift((await parkApproved(fixture)).id);
      const pages = await pagesOf((page) => fixture.backend.approvals.stuck('unrun', 0, page), 2);
      assert.deepEqual(
        pages.map(({ entries }) => entries.map(({ id }) => id)),
        [ids.slice(0, 2), ids.slice(2, 4), ids.slice(4)],
      );
    });
  });

  describe('reminders', () => {
    it('are due once of each kind, for calls that still wait and have waited long enough', async () => {
      const waiting = await park(fixture);
      await parkApproved(fixture);
      await park(fixture, { ttlMs: 0 });
      for (const reminder of ['reminded', 'escalated'] as const) {
        assert.deepEqual(await reminderIds(reminder, HOUR), []);
        assert.deepEqual(await reminderIds(reminder), [waiting.id]);
        await changed(fixture, waiting, { kind: 'remind', reminder, afterMs: 0 });
        assert.deepEqual(await reminderIds(reminder), []);
      }
    });
  });

  describe('outcomes', () => {
    it('are settled when the call has reached a final status', async () => {
      const { approvals } = fixture.backend;
      const open = [await park(fixture), await parkApproved(fixture), await parkClaimed(fixture)];
      const ended = [
        await changed(fixture, await park(fixture), command({ verdict: 'rejected' })),
        await changed(fixture, await park(fixture, { ttlMs: 0 }), { kind: 'expire' }),
        await parkFinished(fixture, 'executed'),
        await parkFinished(fixture, 'outcome_unknown'),
      ].map(({ id }) => id);
      const settled = await approvals.settled([...open.map(({ id }) => id), ...ended, 999_999]);
      assert.deepEqual(
        settled.map(({ id }) => id).toSorted((a, b) => a - b),
        ended,
      );
      assert.deepEqual(await approvals.settled([]), []);
    });

    it('are to be notified, oldest first, once they have ended for the given time', async () => {
      for (const from of [park, parkApproved, parkClaimed]) await from(fixture);
      const first = await parkFinished(fixture, 'executed');
      const second = await parkFinished(fixture, 'failed');
      assert.deepEqual(await notificationIds(), [first.id, second.id]);
      assert.deepEqual(await notificationIds(0, 1), [first.id]);
      assert.deepEqual(await notificationIds(HOUR), []);
    });

    it('are to be notified again after a lease or a delay, until they were notified', async () => {
      const call = await parkFinished(fixture, 'executed');
      for (const [given, isDue] of [
        [{ kind: 'claimNotification', leaseMs: 0 }, true],
        [{ kind: 'claimNotification', leaseMs: LEASE_MS }, false],
        [{ kind: 'retryNotification', status: 'executed', inMs: 0 }, true],
        [{ kind: 'retryNotification', status: 'executed', inMs: LEASE_MS }, false],
        [{ kind: 'retryNotification', status: 'executed', inMs: 0 }, true],
        [{ kind: 'markNotified', status: 'executed' }, false],
      ] as const) {
        await changed(fixture, call, given);
        assert.deepEqual(await notificationIds(), isDue ? [call.id] : [], JSON.stringify(given));
      }
    });

    it('that are resolved are notified again, even while the unknown outcome is notified', async () => {
      const call = await parkFinished(fixture, 'outcome_unknown');
      await changed(fixture, call, { kind: 'claimNotification', leaseMs: LEASE_MS });
      await changed(fixture, call, resolution());
      assert.deepEqual(await notificationIds(), [call.id]);
      const again = await changed(fixture, call, { kind: 'claimNotification', leaseMs: LEASE_MS });
      assert.deepEqual([again.status, again.notifyAttempts], ['executed', 1]);
    });
  });
}
