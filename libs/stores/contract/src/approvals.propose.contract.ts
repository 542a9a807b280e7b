import assert from 'node:assert/strict';
import type { NewApproval } from '#contracts/approvals/approvals.js';
import type { ProposeCommand } from '#contracts/stores/approvals.store.js';
import {
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
  const proposal = (
    supersedes: number,
    parts: Partial<NewApproval> = {},
    evidence = approvalEvidence,
  ): ProposeCommand => ({
    call: newApproval({
      supersedes,
      firstId: supersedes,
      editors: ['ops-1'],
      editReason: 'half of it',
      ...parts,
    }),
    evidence,
    supersession: evidence,
  });

  describe('propose', () => {
    it('supersedes the pending call and stores the proposal, linked to each other', async () => {
      const { approvals, audit } = fixture.backend;
      const parked = await park(fixture, { encryptedToken: 'c2VhbGVk' });
      const given = proposal(parked.id);
      const { superseded, proposed } = (await approvals.propose(parked.id, given)) ?? {};
      assert.ok(superseded !== undefined && proposed !== undefined);
      assert.deepEqual(superseded, {
        ...parked,
        status: 'superseded',
        supersededBy: proposed.id,
        finishedAt: superseded.finishedAt,
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
    });

    it('returns null, and writes nothing, for a call that is not pending', async () => {
      const { approvals } = fixture.backend;
      const others = [
        await parkApproved(fixture),
        await parkClaimed(fixture),
        await parkFinished(fixture, 'executed'),
        await parkFinished(fixture, 'superseded'),
        await park(fixture, { ttlMs: 0 }),
      ];
      for (const { id } of others) {
        const standing = await approvals.find(id);
        assert.equal(await approvals.propose(id, proposal(id, {}, noEvidence)), null);
        assert.deepEqual(await approvals.find(id), standing);
      }
      assert.equal(await approvals.propose(999_999, proposal(999_999)), null);
    });

    it('writes nothing if an evidence builder throws', async () => {
      const { approvals } = fixture.backend;
      const parked = await park(fixture);
      for (const failing of ['evidence', 'supersession'] as const) {
        const given = { ...proposal(parked.id), [failing]: noEvidence };
        await assert.rejects(approvals.propose(parked.id, given), /no evidence/);
      }
      assert.deepEqual((await approvals.pending({ limit: 10 })).entries, [parked]);
    });

    it('accepts exactly one of ten concurrent proposals', async () => {
      const { id } = await park(fixture);
      const results = await fixture.concurrently(10, ({ approvals }) => approvals.propose(id, proposal(id)));
      assert.equal(results.filter((result) => result !== null).length, 1);
      assert.equal((await fixture.backend.approvals.pending({ limit: 10 })).entries.length, 1);
    });

    it('is decided against a concurrent decision once', async () => {
      for (let round = 0; round < 5; round++) {
        const { id, tokenHash } = await park(fixture);
        const [proposed, decided] = await Promise.all([
          fixture.backend.approvals.propose(id, proposal(id)),
          fixture.backend.approvals.decide(tokenHash, command()),
        ]);
        assert.equal(proposed === null, decided.kind === 'decided');
      }
    });

    it('does not transfer votes to the proposal', async () => {
      const { approvals } = fixture.backend;
      const { id, tokenHash } = await park(fixture, TWO_APPROVERS);
      await approvals.decide(tokenHash, voting({ actorId: 'ops-2', afterCount: 0 }));
      const { proposed } = (await approvals.propose(id, proposal(id, TWO_APPROVERS))) ?? {};
      assert.deepEqual([proposed?.votes, proposed?.voteCount], [[], 0]);
      const late = await approvals.decide(tokenHash, voting({ actorId: 'ops-3', afterCount: 1 }));
      assert.equal(late.kind, 'already_decided');
    });

    it('takes over the place among the calls of the run and of the principal', async () => {
      const { approvals } = fixture.backend;
      const requested = { runId: 'run-1', principalId: 'customer-42', argumentsDigest: 'd'.repeat(64) };
      const { id } = await park(fixture, requested);
      const edited = { ...requested, argumentsDigest: 'e'.repeat(64) };
      const { proposed } = (await approvals.propose(id, proposal(id, edited))) ?? {};
      const again = await approvals.park(newApproval(requested), approvalEvidence, 1);
      assert.deepEqual([again?.created, again?.approval.id], [false, proposed?.id]);
      const other = newApproval({ ...requested, runId: 'run-2' });
      assert.equal(await approvals.park(other, approvalEvidence, 1), null);
      await approvals.decide(proposed?.tokenHash ?? '', command({ verdict: 'rejected' }));
      const rejected = await approvals.park(newApproval(requested), approvalEvidence, 1);
      assert.deepEqual([rejected?.created, rejected?.approval.id], [false, proposed?.id]);
    });

    it('is not notified as an outcome of the superseded call', async () => {
      const { approvals } = fixture.backend;
      const { id } = await park(fixture);
      await approvals.propose(id, proposal(id));
      assert.deepEqual(await approvals.dueNotifications(0, 10), []);
    });
  });
}
