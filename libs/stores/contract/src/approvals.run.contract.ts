import assert from 'node:assert/strict';
import type { RunEnd, RunResult } from '../../../contracts/src/approvals.js';
import { command, evidenceTexts, noEvidence, park, parkApproved, parkClaimed } from './approval-acts.js';
import { approvalEvidence } from './builders.js';
import type { Runner, Stage } from './harness.js';
import { UNSTORABLE_TEXTS } from './hostile-text.js';

const NOTHING: RunResult = { result: null, error: null };

const runOf = (text: string): RunResult => ({
  result: { [text]: [text] },
  error: { code: text, message: text },
});

export function approvalsRunContract({ describe, it }: Runner, stage: Stage): void {
  const finish = (
    id: number,
    end: RunEnd,
    run = NOTHING,
  ): ReturnType<typeof stage.backend.approvals.finish> =>
    stage.backend.approvals.finish(id, end, run, approvalEvidence);

  describe('claim', () => {
    it('moves an approved call to executing', async () => {
      const approved = await parkApproved(stage);
      const claimed = await stage.backend.approvals.claim(approved.id);
      assert.deepEqual(claimed, { ...approved, status: 'executing' });
      assert.deepEqual(await stage.backend.approvals.find(approved.id), claimed);
    });

    it('is granted once', async () => {
      const { id } = await parkClaimed(stage);
      assert.equal(await stage.backend.approvals.claim(id), null);
    });

    it('is granted to exactly one of twenty at once', async () => {
      const { id } = await parkApproved(stage);
      const claims = await stage.together(20, ({ approvals }) => approvals.claim(id));
      assert.equal(claims.filter((claimed) => claimed !== null).length, 1);
    });

    it('is not granted for a call that is pending, rejected, expired, finished or unknown', async () => {
      const { approvals } = stage.backend;
      const pending = await park(stage);
      const rejected = await park(stage);
      await approvals.decide(rejected.tokenHash, command({ verdict: 'rejected' }));
      const expired = await park(stage, { ttlMs: 0 });
      await approvals.decide(expired.tokenHash, command());
      const finished = await parkClaimed(stage);
      await finish(finished.id, 'executed');
      for (const id of [pending.id, rejected.id, expired.id, finished.id, finished.id + 1000, 0]) {
        assert.equal(await approvals.claim(id), null);
      }
    });
  });

  describe('finish', () => {
    for (const [end, run] of [
      ['executed', { result: { refunded: 25, ids: ['b', 'a'], deep: { none: null } }, error: null }],
      ['executed', NOTHING],
      ['failed', { result: null, error: { code: 'tool_failed', message: 'the bank said no' } }],
      ['outcome_unknown', { result: null, error: { code: 'timed_out', message: 'it took too long' } }],
      ['superseded', NOTHING],
    ] as const) {
      it(`ends a run as ${end} with ${JSON.stringify(run)}`, async () => {
        const claimed = await parkClaimed(stage);
        const finished = await finish(claimed.id, end, run);
        assert.ok(finished?.finishedAt instanceof Date && finished.finishedAt >= claimed.createdAt);
        assert.deepEqual(finished, { ...claimed, ...run, status: end, finishedAt: finished.finishedAt });
        assert.deepEqual(await stage.backend.approvals.find(claimed.id), finished);
      });
    }

    for (const result of ['done', '', 0, false, [1, [2]], 1e21, { z: 1, a: 2 }]) {
      it(`keeps ${JSON.stringify(result)} as what the tool returned`, async () => {
        const { id } = await parkClaimed(stage);
        await finish(id, 'executed', { result, error: null });
        const found = await stage.backend.approvals.find(id);
        assert.equal(JSON.stringify(found?.result), JSON.stringify(result));
      });
    }

    it('keeps a tool that returned nothing as null', async () => {
      const { id } = await parkClaimed(stage);
      assert.equal((await finish(id, 'executed', { result: undefined, error: null }))?.result, null);
      assert.equal((await stage.backend.approvals.find(id))?.result, null);
    });

    it('commits the evidence of the end once', async () => {
      const { id } = await parkClaimed(stage);
      await finish(id, 'failed');
      assert.deepEqual((await evidenceTexts(stage)).slice(2), [`approval ${id} is failed`]);
    });

    it('happens once: the second end is not taken and leaves no evidence', async () => {
      const { id } = await parkClaimed(stage);
      const first = await finish(id, 'executed', { result: 'first', error: null });
      assert.equal(await finish(id, 'failed', { result: 'second', error: null }), null);
      assert.deepEqual(await stage.backend.approvals.find(id), first);
      assert.equal((await evidenceTexts(stage)).length, 3);
    });

    it('is taken from exactly one of ten at once', async () => {
      const { id } = await parkClaimed(stage);
      const ends = await stage.together(10, ({ approvals }, index) =>
        approvals.finish(id, index % 2 === 0 ? 'executed' : 'failed', NOTHING, approvalEvidence),
      );
      assert.equal(ends.filter((end) => end !== null).length, 1);
      assert.equal((await evidenceTexts(stage)).length, 3);
    });

    it('supersedes an approved call that has not begun', async () => {
      const approved = await parkApproved(stage);
      const finished = await finish(approved.id, 'superseded');
      assert.equal(finished?.status, 'superseded');
      assert.equal(await stage.backend.approvals.claim(approved.id), null);
    });

    for (const end of ['executed', 'failed', 'outcome_unknown'] as const) {
      it(`does not take ${end} from a call that has not begun`, async () => {
        const approved = await parkApproved(stage);
        assert.equal(await finish(approved.id, end), null);
        assert.deepEqual(await stage.backend.approvals.find(approved.id), approved);
      });
    }

    it('is not taken of a call that is pending, rejected or unknown', async () => {
      const pending = await park(stage);
      const rejected = await park(stage);
      await stage.backend.approvals.decide(rejected.tokenHash, command({ verdict: 'rejected' }));
      for (const id of [pending.id, rejected.id, rejected.id + 1000]) {
        for (const end of ['executed', 'superseded'] as const) assert.equal(await finish(id, end), null);
      }
    });

    it('changes nothing when its evidence cannot be built', async () => {
      const { approvals } = stage.backend;
      const claimed = await parkClaimed(stage);
      await assert.rejects(approvals.finish(claimed.id, 'executed', NOTHING, noEvidence), /no evidence/);
      assert.deepEqual(await approvals.find(claimed.id), claimed);
      assert.equal((await finish(claimed.id, 'executed'))?.status, 'executed');
    });

    for (const { name, given, kept } of UNSTORABLE_TEXTS) {
      it(`scrubs ${name} in results and errors`, async () => {
        const { id } = await parkClaimed(stage);
        await finish(id, 'failed', runOf(given));
        const found = await stage.backend.approvals.find(id);
        assert.deepEqual({ result: found?.result, error: found?.error }, runOf(kept));
      });
    }
  });
}
