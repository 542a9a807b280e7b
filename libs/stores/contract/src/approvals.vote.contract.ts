import assert from 'node:assert/strict';
import { command, evidenceTexts, noEvidence, park, TWO_APPROVERS, voting } from './approval-helpers.js';
import { type Runner, type BackendFixture, pagesOf } from './backend-fixture.js';
import { UNSTORABLE_TEXTS } from './hostile-text.js';

export function approvalsVoteContract({ describe, it }: Runner, fixture: BackendFixture): void {
  describe('decide with votes', () => {
    it('returns the requirement as it was requested', async () => {
      const parked = await park(fixture, TWO_APPROVERS);
      assert.deepEqual(parked.requirement, TWO_APPROVERS.requirement);
      assert.deepEqual([parked.votes, parked.voteCount], [[], 0]);
      const [shown] = (await fixture.backend.approvals.pending({ limit: 1 })).entries;
      assert.deepEqual(shown, parked);
    });

    it('records a vote that is not the last, and leaves the call pending', async () => {
      const { approvals } = fixture.backend;
      const parked = await park(fixture, TWO_APPROVERS);
      const result = await approvals.decide(
        parked.tokenHash,
        voting({ actorId: 'ops-1', reason: 'checked', afterCount: 0 }),
      );
      assert.ok(result.kind === 'voted');
      const [vote] = result.approval.votes;
      assert.ok(vote !== undefined && vote.votedAt >= parked.createdAt);
      assert.deepEqual(result.approval, { ...parked, votes: [vote], voteCount: 1 });
      assert.deepEqual(
        { ...vote, id: 0, votedAt: null },
        {
          id: 0,
          actorId: 'ops-1',
          reason: 'checked',
          votedAt: null,
          voteMac: 'sealed vote',
          voidedAt: null,
        },
      );
      assert.deepEqual(await approvals.find(parked.id), result.approval);
      assert.deepEqual(await approvals.findByTokenHash(parked.tokenHash), result.approval);
      assert.deepEqual((await approvals.pending({ limit: 1 })).entries, [result.approval]);
      assert.equal((await evidenceTexts(fixture)).length, 2);
    });

    it('decides with the last vote, and shows the votes of both approvers, oldest first', async () => {
      const { approvals } = fixture.backend;
      const parked = await park(fixture, TWO_APPROVERS);
      await approvals.decide(parked.tokenHash, voting({ actorId: 'ops-1', afterCount: 0 }));
      const last = await approvals.decide(
        parked.tokenHash,
        voting({ actorId: 'ops-2', afterCount: 1, isLast: true }),
      );
      assert.ok(last.kind === 'decided');
      const { status, decision, decidedBy, votes, voteCount } = last.approval;
      assert.deepEqual(
        [status, decision, decidedBy, votes.map(({ actorId }) => actorId), voteCount],
        ['approved', 'approved', 'ops-2', ['ops-1', 'ops-2'], 2],
      );
      const [entry] = (await approvals.history({}, { limit: 1 })).entries;
      assert.deepEqual(entry?.votes, votes);
      for (const [actor, found] of [
        ['ops-1', [parked.id]],
        ['ops-2', [parked.id]],
        ['ops-3', []],
      ] as const) {
        const pages = await pagesOf((page) => approvals.history({ actor }, page), 1);
        assert.deepEqual(
          pages.flatMap(({ entries }) => entries.map(({ id }) => id)),
          found,
        );
      }
    });

    it('writes nothing for a vote that is based on an earlier number of votes', async () => {
      const { approvals } = fixture.backend;
      const { id, tokenHash } = await park(fixture, TWO_APPROVERS);
      await approvals.decide(tokenHash, voting({ actorId: 'ops-1', afterCount: 0 }));
      const standing = await approvals.find(id);
      for (const isLast of [true, false]) {
        const late = await approvals.decide(
          tokenHash,
          voting({ actorId: 'ops-2', afterCount: 0, isLast, evidence: noEvidence }),
        );
        assert.deepEqual(late, { kind: 'outdated', approval: standing });
      }
      assert.deepEqual(await approvals.find(id), standing);
    });

    it('is ended by one rejection, with any number of votes', async () => {
      const { approvals } = fixture.backend;
      const { tokenHash } = await park(fixture, TWO_APPROVERS);
      await approvals.decide(tokenHash, voting({ actorId: 'ops-1', afterCount: 0 }));
      const rejected = await approvals.decide(tokenHash, command({ verdict: 'rejected', actorId: 'ops-2' }));
      assert.ok(rejected.kind === 'decided');
      const { status, decidedBy, votes } = rejected.approval;
      assert.deepEqual([status, decidedBy, votes.length], ['rejected', 'ops-2', 1]);
      const late = await approvals.decide(tokenHash, voting({ actorId: 'ops-3', afterCount: 1 }));
      assert.deepEqual(late, { kind: 'already_decided', approval: rejected.approval });
    });

    it('voids the named votes of this approval only', async () => {
      const { approvals } = fixture.backend;
      const other = await park(fixture, TWO_APPROVERS);
      await approvals.decide(other.tokenHash, voting({ actorId: 'ops-1', afterCount: 0 }));
      const { tokenHash } = await park(fixture, TWO_APPROVERS);
      const first = await approvals.decide(tokenHash, voting({ actorId: 'ops-1', afterCount: 0 }));
      assert.ok(first.kind === 'voted');
      const voided = first.approval.votes.map((vote) => vote.id);
      const next = await approvals.decide(tokenHash, voting({ actorId: 'ops-2', afterCount: 1, voided }));
      assert.ok(next.kind === 'voted');
      assert.deepEqual(
        next.approval.votes.map(({ actorId, voidedAt }) => [actorId, voidedAt instanceof Date]),
        [
          ['ops-1', true],
          ['ops-2', false],
        ],
      );
      assert.equal((await approvals.find(other.id))?.votes[0]?.voidedAt, null);
    });

    it('expires an overdue call instead of recording the vote', async () => {
      const { approvals } = fixture.backend;
      const { id, tokenHash } = await park(fixture, { ...TWO_APPROVERS, ttlMs: 0 });
      const late = await approvals.decide(tokenHash, voting({ actorId: 'ops-1', afterCount: 0 }));
      assert.equal(late.kind, 'expired');
      assert.deepEqual((await approvals.find(id))?.votes, []);
    });

    it('records no vote if the evidence builder throws', async () => {
      const { approvals } = fixture.backend;
      const parked = await park(fixture, TWO_APPROVERS);
      const failing = voting({ actorId: 'ops-1', afterCount: 0, evidence: noEvidence });
      await assert.rejects(approvals.decide(parked.tokenHash, failing), /no evidence/);
      assert.deepEqual(await approvals.find(parked.id), parked);
    });

    it('records exactly one of twenty concurrent votes on the same number', async () => {
      const { id, tokenHash } = await park(fixture, TWO_APPROVERS);
      const results = await fixture.concurrently(20, ({ approvals }, index) =>
        approvals.decide(tokenHash, voting({ actorId: `ops-${index}`, afterCount: 0 })),
      );
      assert.equal(results.filter(({ kind }) => kind === 'voted').length, 1);
      assert.equal(results.filter(({ kind }) => kind === 'outdated').length, 19);
      const standing = await fixture.backend.approvals.find(id);
      assert.deepEqual([standing?.votes.length, standing?.voteCount], [1, 1]);
      assert.equal((await evidenceTexts(fixture)).length, 2);
    });

    for (const { name, given, kept } of UNSTORABLE_TEXTS) {
      it(`replaces ${name} in the reason and the actor of a vote`, async () => {
        const { approvals } = fixture.backend;
        const { id, tokenHash } = await park(fixture, TWO_APPROVERS);
        await approvals.decide(tokenHash, voting({ actorId: given, reason: given, afterCount: 0 }));
        const [vote] = (await approvals.find(id))?.votes ?? [];
        assert.deepEqual([vote?.actorId, vote?.reason], [kept, kept]);
      });
    }
  });
}
