import assert from 'node:assert/strict';
import { evidenceTexts, noEvidence, park, parkApproved } from './approval-helpers.js';
import { approvalEvidence } from './builders.js';
import type { Runner, BackendFixture } from './backend-fixture.js';

const HOUR_MS = 3_600_000;

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
