import assert from 'node:assert/strict';
import type { Approval } from '#contracts/approvals/approvals.js';
import { command, evidenceTexts, noEvidence, park, parkApproved, parkClaimed } from './approval-helpers.js';
import { approvalEvidence } from './builders.js';
import type { Runner, BackendFixture } from './backend-fixture.js';
import { UNSTORABLE_TEXTS } from './hostile-text.js';

export function approvalsDecideContract({ describe, it }: Runner, fixture: BackendFixture): void {
  describe('decide', () => {
    for (const verdict of ['approved', 'rejected'] as const) {
      it(`records who ${verdict === 'approved' ? 'approved' : 'rejected'} a pending call, when and why`, async () => {
        const { approvals } = fixture.backend;
        const parked = await park(fixture);
        const result = await approvals.decide(
          parked.tokenHash,
          command({ verdict, actorId: 'ops-2', reason: 'the customer asked' }),
        );
        assert.ok(result.kind === 'decided');
        const { decidedAt } = result.approval;
        assert.ok(decidedAt !== null && decidedAt >= parked.createdAt && decidedAt < parked.expiresAt);
        assert.deepEqual(result.approval, {
          ...parked,
          status: verdict,
          decision: verdict,
          decidedBy: 'ops-2',
          decidedAt,
          reason: 'the customer asked',
          decisionMac: 'sealed',
          finishedAt: verdict === 'rejected' ? result.approval.finishedAt : null,
        });
        assert.equal(result.approval.finishedAt instanceof Date, verdict === 'rejected');
        assert.deepEqual(await approvals.find(parked.id), result.approval);
      });

      it(`ignores later decisions about a call that was ${verdict}`, async () => {
        const { approvals } = fixture.backend;
        const { tokenHash } = await park(fixture);
        const first = await approvals.decide(tokenHash, command({ verdict }));
        assert.ok(first.kind === 'decided');
        for (const later of ['approved', 'rejected'] as const) {
          const again = await approvals.decide(tokenHash, command({ verdict: later, actorId: 'ops-2' }));
          assert.deepEqual(again, { kind: 'already_decided', approval: first.approval });
        }
        assert.equal((await evidenceTexts(fixture)).length, 2);
      });
    }

    it('commits the evidence of the decision once', async () => {
      const { id } = await parkApproved(fixture);
      assert.deepEqual(await evidenceTexts(fixture), [
        `approval ${id} is pending`,
        `approval ${id} is approved`,
      ]);
    });

    it('calls the evidence builder once, with the decided approval', async () => {
      const { tokenHash } = await park(fixture);
      const asked: Approval[] = [];
      const evidence: typeof approvalEvidence = (approval) => {
        asked.push(approval);
        return approvalEvidence(approval);
      };
      const first = await fixture.backend.approvals.decide(tokenHash, command({ evidence }));
      await fixture.backend.approvals.decide(tokenHash, command({ evidence }));
      assert.ok(first.kind === 'decided');
      assert.deepEqual(asked, [first.approval]);
    });

    it('decides nothing if the evidence builder throws, and can be called again', async () => {
      const { approvals } = fixture.backend;
      const parked = await park(fixture);
      await assert.rejects(
        approvals.decide(parked.tokenHash, command({ evidence: noEvidence })),
        /no evidence/,
      );
      assert.deepEqual(await approvals.find(parked.id), parked);
      assert.equal((await approvals.decide(parked.tokenHash, command())).kind, 'decided');
    });

    it('returns `unknown` for a token that was never issued', async () => {
      await park(fixture);
      for (const unknown of ['', 'f'.repeat(64), "' OR true --", 'x\u0000\uD83D']) {
        const result = await fixture.backend.approvals.decide(unknown, command({ evidence: noEvidence }));
        assert.deepEqual(result, { kind: 'unknown' });
      }
    });

    for (const ttlMs of [0, -1]) {
      it(`moves a call with a ttl of ${ttlMs} to expired once`, async () => {
        const { approvals } = fixture.backend;
        const parked = await park(fixture, { ttlMs });
        const first = await approvals.decide(parked.tokenHash, command());
        assert.ok(first.kind === 'expired' && first.approval.finishedAt instanceof Date);
        const expired = { ...parked, status: 'expired', finishedAt: first.approval.finishedAt } as const;
        assert.deepEqual(first, { kind: 'expired', approval: expired, moved: true });
        const again = await approvals.decide(parked.tokenHash, command({ verdict: 'rejected' }));
        assert.deepEqual(again, { kind: 'expired', approval: expired, moved: false });
        assert.deepEqual(await approvals.find(parked.id), expired);
        assert.deepEqual(await evidenceTexts(fixture), [
          `approval ${parked.id} is pending`,
          `approval ${parked.id} is expired`,
        ]);
      });
    }

    it('does not move a call to expired if the evidence builder throws', async () => {
      const { approvals } = fixture.backend;
      const { tokenHash } = await park(fixture, { ttlMs: 0 });
      await assert.rejects(approvals.decide(tokenHash, command({ evidence: noEvidence })), /no evidence/);
      const next = await approvals.decide(tokenHash, command());
      assert.equal(next.kind === 'expired' && next.moved, true);
    });

    it('reports a running or finished call as already decided', async () => {
      const { approvals } = fixture.backend;
      const { id, fence, tokenHash } = await parkClaimed(fixture);
      const running = await approvals.decide(tokenHash, command());
      assert.equal(running.kind === 'already_decided' && running.approval.status, 'executing');
      await approvals.finish(id, fence, 'executed', { result: 1, error: null }, approvalEvidence);
      const done = await approvals.decide(tokenHash, command());
      assert.equal(done.kind === 'already_decided' && done.approval.status, 'executed');
    });

    it('accepts exactly one of twenty concurrent decisions and returns the winner to all others', async () => {
      const { id, tokenHash } = await park(fixture);
      const results = await fixture.concurrently(20, ({ approvals }, index) =>
        approvals.decide(
          tokenHash,
          command({ verdict: index % 3 === 0 ? 'rejected' : 'approved', actorId: `ops-${index}` }),
        ),
      );
      const won = results.filter((result) => result.kind === 'decided');
      assert.equal(won.length, 1);
      const winner = await fixture.backend.approvals.find(id);
      for (const result of results) assert.deepEqual(result.kind !== 'unknown' && result.approval, winner);
      assert.equal(winner?.decidedBy, `ops-${results.findIndex((result) => result.kind === 'decided')}`);
      assert.equal((await evidenceTexts(fixture)).length, 2);
    });

    it('moves an expired call once for twenty concurrent decisions', async () => {
      const { tokenHash } = await park(fixture, { ttlMs: 0 });
      const results = await fixture.concurrently(20, ({ approvals }) =>
        approvals.decide(tokenHash, command()),
      );
      assert.equal(results.filter((result) => result.kind === 'expired' && result.moved).length, 1);
      assert.ok(results.every((result) => result.kind === 'expired'));
      assert.equal((await evidenceTexts(fixture)).length, 2);
    });

    it('decides different calls concurrently', async () => {
      const parked: Approval[] = [];
      for (let index = 0; index < 10; index++) parked.push(await park(fixture));
      const results = await fixture.concurrently(10, ({ approvals }, index) =>
        approvals.decide(parked[index]?.tokenHash ?? '', command()),
      );
      assert.ok(
        results.every(
          (result, index) => result.kind === 'decided' && result.approval.id === parked[index]?.id,
        ),
      );
    });

    for (const { name, given, kept } of UNSTORABLE_TEXTS) {
      it(`replaces ${name} in the reason and the actor`, async () => {
        const { approvals } = fixture.backend;
        const { id, tokenHash } = await park(fixture);
        await approvals.decide(tokenHash, command({ reason: given, actorId: given }));
        const found = await approvals.find(id);
        assert.deepEqual([found?.reason, found?.decidedBy], [kept, kept]);
      });
    }
  });
}
