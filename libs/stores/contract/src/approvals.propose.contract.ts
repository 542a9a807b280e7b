import assert from 'node:assert/strict';
import type { NewApproval } from '#contracts/approvals/approvals.js';
import type { BuildEvidence } from '#contracts/stores/approvals.store.js';
import {
  change,
  changed,
  command,
  evidenceTexts,
  noEvidence,
  park,
  parkApproved,
  parkClaimed,
  parkFinished,
  TWO_APPROVERS,
  voting,
} from './approval-helpers.js';
import { approvalEvidence, newApproval } from './builders.js';
import type { Runner, BackendFixture } from './backend-fixture.js';

export function approvalsProposeContract({ describe, it }: Runner, fixture: BackendFixture): void {
  const edited = (supersedes: number, parts: Partial<NewApproval> = {}): NewApproval => {
    const edit = { supersedes, firstId: supersedes, editors: ['ops-1'], editReason: 'half of it' };
    return newApproval({ ...edit, ...parts });
  };
  const propose = async (id: number, parts?: Partial<NewApproval>) => {
    const result = await fixture.backend.approvals.propose(id, edited(id, parts), approvalEvidence);
    assert.ok(result !== null, 'the call can be edited');
    return result;
  };

  describe('propose', () => {
    it('supersedes the pending call and stores the proposal, linked to each other', async () => {
      const { approvals, audit } = fixture.backend;
      const parked = await park(fixture, { encryptedToken: 'c2VhbGVk' });
      const { superseded, proposed } = await propose(parked.id);
      const { finishedAt } = superseded;
      assert.deepEqual(superseded, {
        ...parked,
        status: 'superseded',
        supersededBy: proposed.id,
        finishedAt,
      });
      const { supersedes, editors, editReason, firstId, status, votes } = proposed;
      assert.deepEqual(
        [supersedes, firstId, editors, editReason, status, votes],
        [parked.id, parked.id, ['ops-1'], 'half of it', 'pending', []],
      );
      assert.deepEqual(await approvals.find(parked.id), superseded);
      assert.deepEqual(await approvals.find(proposed.id), proposed);
      assert.deepEqual((await approvals.pending({ limit: 10 })).entries, [proposed]);
      assert.equal(await approvals.encryptedToken(parked.id), null);
      assert.ok(proposed.auditId !== null && (await audit.find(proposed.auditId)) !== null);
      assert.deepEqual(await evidenceTexts(fixture), [
        `approval ${parked.id} is pending`,
        `approval ${parked.id} is superseded`,
        `approval ${proposed.id} is pending`,
      ]);
      assert.deepEqual(await approvals.dueNotifications(0, 10), [], 'the superseded call is not notified');
    });

    it('returns null, and writes nothing, for a call that is not pending', async () => {
      const { approvals } = fixture.backend;
      for (const standing of [
        await parkApproved(fixture),
        await parkClaimed(fixture),
        await parkFinished(fixture, 'executed'),
        await park(fixture, { ttlMs: 0 }),
      ]) {
        assert.equal(await approvals.propose(standing.id, edited(standing.id), noEvidence), null);
        assert.deepEqual(await approvals.find(standing.id), standing);
      }
      assert.equal(await approvals.propose(999_999, edited(999_999), noEvidence), null);
    });

    it('writes nothing if the evidence of one of the two calls throws', async () => {
      const { approvals } = fixture.backend;
      const parked = await park(fixture);
      for (const failing of ['superseded', 'proposed']) {
        const evidence: BuildEvidence = (approval, step) =>
          step === failing ? noEvidence() : approvalEvidence(approval);
        await assert.rejects(approvals.propose(parked.id, edited(parked.id), evidence), /no evidence/);
      }
      assert.deepEqual((await approvals.pending({ limit: 10 })).entries, [parked]);
    });

    it('accepts exactly one of ten concurrent proposals, or a concurrent decision', async () => {
      const parked = await park(fixture);
      const results = await fixture.concurrently(10, async ({ approvals }, index) =>
        index === 9
          ? (await approvals.change(parked.id, command(), approvalEvidence))?.kind === 'changed'
          : (await approvals.propose(parked.id, edited(parked.id), approvalEvidence)) !== null,
      );
      assert.equal(results.filter((isDone) => isDone).length, 1);
    });

    it('does not transfer votes to the proposal', async () => {
      const call = await park(fixture, TWO_APPROVERS);
      await changed(fixture, call, voting({ actorId: 'ops-2', afterCount: 0 }));
      const { superseded, proposed } = await propose(call.id, TWO_APPROVERS);
      assert.deepEqual([superseded.votes.length, proposed.votes, proposed.voteCount], [1, [], 0]);
      const late = await change(fixture, call, voting({ actorId: 'ops-3', afterCount: 1 }));
      assert.equal(late?.kind, 'refused');
    });

    it('takes over the place among the calls of the run and of the principal', async () => {
      const { approvals } = fixture.backend;
      const requested = { runId: 'run-1', principalId: 'customer-42', argumentsDigest: 'd'.repeat(64) };
      const { id } = await park(fixture, requested);
      const { proposed } = await propose(id, { ...requested, argumentsDigest: 'e'.repeat(64) });
      const again = await approvals.park(newApproval(requested), approvalEvidence, 1);
      assert.deepEqual([again?.created, again?.approval.id], [false, proposed.id]);
      const other = newApproval({ ...requested, runId: 'run-2' });
      assert.equal(await approvals.park(other, approvalEvidence, 1), null);
      await changed(fixture, proposed, command({ verdict: 'rejected' }));
      const rejected = await approvals.park(newApproval(requested), approvalEvidence, 1);
      assert.deepEqual([rejected?.created, rejected?.approval.id], [false, proposed.id]);
    });
  });
}
