import assert from 'node:assert/strict';
import type { Approval, RunEnd, RunResult } from '../../../contracts/src/approvals.js';
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
} from './approval-acts.js';
import type { Decision } from '../../../contracts/src/audit.js';
import { approvalEvidence } from './builders.js';
import type { Runner, Stage } from './harness.js';
import { UNSTORABLE_TEXTS } from './hostile-text.js';

const runOf = (text: string): RunResult => ({
  result: { [text]: [text] },
  error: { code: text, message: text },
});

export function approvalsRunContract({ describe, it }: Runner, stage: Stage): void {
  const finish = (
    { id, fence }: Pick<Approval, 'id' | 'fence'>,
    end: RunEnd,
    run = NOTHING,
  ): Promise<Approval | null> => stage.backend.approvals.finish(id, fence, end, run, approvalEvidence);

  describe('claim', () => {
    it('moves an approved call to executing', async () => {
      const approved = await parkApproved(stage);
      const claimed = await stage.backend.approvals.claim(approved.id, claiming());
      const { leaseUntil = null } = claimed ?? {};
      assert.ok(leaseUntil !== null && leaseUntil > approved.createdAt);
      assert.deepEqual(claimed, { ...approved, status: 'executing', fence: 1, leaseUntil });
      assert.deepEqual(await stage.backend.approvals.find(approved.id), claimed);
    });

    it('is not granted once the decision is older than it may be', async () => {
      const { approvals } = stage.backend;
      const approved = await parkApproved(stage);
      assert.equal(await approvals.claim(approved.id, claiming({ withinMs: 0 })), null);
      assert.deepEqual(await approvals.find(approved.id), approved);
    });

    it('is granted once', async () => {
      const { id } = await parkClaimed(stage);
      assert.equal(await stage.backend.approvals.claim(id, claiming()), null);
    });

    it('is granted to exactly one of twenty at once', async () => {
      const { id } = await parkApproved(stage);
      const claims = await stage.together(20, ({ approvals }) => approvals.claim(id, claiming()));
      assert.equal(claims.filter((claimed) => claimed !== null).length, 1);
    });

    it('is not granted for a call that is pending, rejected, expired, finished or unknown', async () => {
      const { approvals } = stage.backend;
      const pending = await park(stage);
      const rejected = await park(stage);
      await approvals.decide(rejected.tokenHash, command({ verdict: 'rejected' }));
      const expired = await park(stage, { ttlMs: 0 });
      await approvals.decide(expired.tokenHash, command());
      const finished = await parkFinished(stage, 'executed');
      for (const id of [pending.id, rejected.id, expired.id, finished.id, finished.id + 1000, 0]) {
        assert.equal(await approvals.claim(id, claiming()), null);
      }
    });
  });

  describe('claim, with an objection', () => {
    it('supersedes the call instead, with that evidence, and asks about what is in the store', async () => {
      const { approvals } = stage.backend;
      const approved = await parkApproved(stage);
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
      assert.deepEqual((await evidenceTexts(stage)).slice(2), [`approval ${approved.id} is superseded`]);
    });

    it('that cannot be made changes nothing', async () => {
      const { approvals } = stage.backend;
      const approved = await parkApproved(stage);
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
        const claimed = await parkClaimed(stage);
        const finished = await finish(claimed, end, run);
        assert.ok(finished?.finishedAt instanceof Date && finished.finishedAt >= claimed.createdAt);
        const { finishedAt } = finished;
        assert.deepEqual(finished, { ...claimed, ...run, status: end, leaseUntil: null, finishedAt });
        assert.deepEqual(await stage.backend.approvals.find(claimed.id), finished);
      });
    }

    for (const result of ['done', '', 0, false, [1, [2]], 1e21, { z: 1, a: 2 }]) {
      it(`keeps ${JSON.stringify(result)} as what the tool returned`, async () => {
        const claimed = await parkClaimed(stage);
        await finish(claimed, 'executed', { result, error: null });
        const found = await stage.backend.approvals.find(claimed.id);
        assert.equal(JSON.stringify(found?.result), JSON.stringify(result));
      });
    }

    it('keeps a tool that returned nothing as null', async () => {
      const claimed = await parkClaimed(stage);
      assert.equal((await finish(claimed, 'executed', { result: undefined, error: null }))?.result, null);
      assert.equal((await stage.backend.approvals.find(claimed.id))?.result, null);
    });

    it('commits the evidence of the end once', async () => {
      const { id } = await parkFinished(stage, 'failed');
      assert.deepEqual((await evidenceTexts(stage)).slice(2), [`approval ${id} is failed`]);
    });

    it('happens once: the second end is not taken and leaves no evidence', async () => {
      const claimed = await parkClaimed(stage);
      const first = await finish(claimed, 'executed', { result: 'first', error: null });
      assert.equal(await finish(claimed, 'failed', { result: 'second', error: null }), null);
      assert.deepEqual(await stage.backend.approvals.find(claimed.id), first);
      assert.equal((await evidenceTexts(stage)).length, 3);
    });

    it('is taken from exactly one of ten at once', async () => {
      const { id, fence } = await parkClaimed(stage);
      const ends = await stage.together(10, ({ approvals }, index) =>
        approvals.finish(id, fence, index % 2 === 0 ? 'executed' : 'failed', NOTHING, approvalEvidence),
      );
      assert.equal(ends.filter((end) => end !== null).length, 1);
      assert.equal((await evidenceTexts(stage)).length, 3);
    });

    it('is not taken of a call that is pending, approved, rejected or unknown', async () => {
      const pending = await park(stage);
      const approved = await parkApproved(stage);
      const rejected = await park(stage);
      await stage.backend.approvals.decide(rejected.tokenHash, command({ verdict: 'rejected' }));
      for (const id of [pending.id, approved.id, rejected.id, rejected.id + 1000]) {
        for (const fence of [0, 1]) assert.equal(await finish({ id, fence }, 'executed'), null);
      }
      assert.deepEqual(await stage.backend.approvals.find(approved.id), approved);
    });

    it('is not taken from anybody but the holder of the present fence', async () => {
      const claimed = await parkClaimed(stage);
      for (const fence of [-1, 0, 2]) assert.equal(await finish({ ...claimed, fence }, 'executed'), null);
      assert.deepEqual(await stage.backend.approvals.find(claimed.id), claimed);
      assert.equal((await finish(claimed, 'executed'))?.status, 'executed');
    });

    it('changes nothing when its evidence cannot be built', async () => {
      const { approvals } = stage.backend;
      const claimed = await parkClaimed(stage);
      const { id, fence } = claimed;
      await assert.rejects(approvals.finish(id, fence, 'executed', NOTHING, noEvidence), /no evidence/);
      assert.deepEqual(await approvals.find(id), claimed);
      assert.equal((await finish(claimed, 'executed'))?.status, 'executed');
    });

    for (const { name, given, kept } of UNSTORABLE_TEXTS) {
      it(`scrubs ${name} in results and errors`, async () => {
        const claimed = await parkClaimed(stage);
        await finish(claimed, 'failed', runOf(given));
        const found = await stage.backend.approvals.find(claimed.id);
        assert.deepEqual({ result: found?.result, error: found?.error }, runOf(kept));
      });
    }
  });
}
