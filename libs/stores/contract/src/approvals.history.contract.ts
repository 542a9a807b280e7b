import assert from 'node:assert/strict';
import type { Approval } from '../../../contracts/src/approvals.js';
import type { ApprovalFilter } from '../../../contracts/src/approvals.store.js';
import { command, park, parkApproved, parkClaimed, parkFinished, resolution } from './approval-acts.js';
import type { Runner, Stage } from './harness.js';
import { entriesOf, pagesOf } from './reading.js';

export function approvalsHistoryContract({ describe, it }: Runner, stage: Stage): void {
  const idsOf = async (filter: ApprovalFilter): Promise<number[]> =>
    (await entriesOf((page) => stage.backend.approvals.history(filter, page))).map(({ id }) => id);

  const decidedBy = async (id: string, verdict: 'approved' | 'rejected', tool: string): Promise<Approval> => {
    const { tokenHash } = await park(stage, { tool });
    const decided = await stage.backend.approvals.decide(tokenHash, command({ verdict, actorId: id }));
    assert.ok(decided.kind === 'decided');
    return decided.approval;
  };

  describe('history', () => {
    it('shows all that no longer waits, newest first, without what may be large', async () => {
      await park(stage);
      const approved = await parkApproved(stage);
      const ran = await parkFinished(stage, 'executed');
      const page = await stage.backend.approvals.history({}, { limit: 10 });
      assert.deepEqual(
        page.entries.map(({ id }) => id),
        [ran.id, approved.id],
      );
      const {
        arguments: _arguments,
        result: _result,
        callMac: _seal,
        decisionMac: _decision,
        ...summary
      } = ran;
      assert.deepEqual({ ...page.entries[0] }, summary);
      assert.deepEqual([page.nextCursor, page.partial], [null, false]);
    });

    it('is read in full pages that end with null', async () => {
      const ids: number[] = [];
      for (let round = 0; round < 5; round++) {
        ids.unshift((await parkApproved(stage)).id);
        await park(stage);
      }
      const pages = await pagesOf((page) => stage.backend.approvals.history({}, page), 2);
      assert.deepEqual(
        pages.map(({ entries }) => entries.map(({ id }) => id)),
        [ids.slice(0, 2), ids.slice(2, 4), ids.slice(4)],
      );
    });

    it('is filtered by status, a pending one included', async () => {
      const waiting = await park(stage);
      const approved = await parkApproved(stage);
      const running = await parkClaimed(stage);
      const failed = await parkFinished(stage, 'failed');
      assert.deepEqual(await idsOf({ status: 'pending' }), [waiting.id]);
      assert.deepEqual(await idsOf({ status: 'approved' }), [approved.id]);
      assert.deepEqual(await idsOf({ status: 'executing' }), [running.id]);
      assert.deepEqual(await idsOf({ status: 'failed' }), [failed.id]);
      assert.deepEqual(await idsOf({ status: 'superseded' }), []);
    });

    it('is filtered by tool and by actor, to the letter', async () => {
      const one = await decidedBy('ops-1', 'approved', 'refund');
      const other = await decidedBy('ops-2', 'rejected', 'refund');
      const email = await decidedBy('ops-2', 'rejected', 'send_email');
      assert.deepEqual(await idsOf({ tool: 'refund' }), [other.id, one.id]);
      assert.deepEqual(await idsOf({ actor: 'ops-2' }), [email.id, other.id]);
      assert.deepEqual(await idsOf({ actor: 'ops-2', tool: 'refund', status: 'rejected' }), [other.id]);
      for (const nobody of ['ops', 'OPS-2', 'ops-_', '%', '']) {
        assert.deepEqual(await idsOf({ actor: nobody }), []);
        assert.deepEqual(await idsOf({ tool: nobody }), []);
      }
    });

    it('finds by actor what somebody settled as well, page by page, each once', async () => {
      const unknown = await parkFinished(stage, 'outcome_unknown');
      const hers = await decidedBy('ops-2', 'rejected', 'refund');
      const both = await parkFinished(stage, 'outcome_unknown');
      for (const { id } of [unknown, both]) await stage.backend.approvals.resolve(id, resolution());
      const pages = await pagesOf((page) => stage.backend.approvals.history({ actor: 'ops-2' }, page), 1);
      assert.deepEqual(
        pages.flatMap(({ entries }) => entries.map(({ id }) => id)),
        [both.id, hers.id, unknown.id],
      );
      assert.deepEqual(await idsOf({ actor: 'ops-1' }), [both.id, unknown.id]);
    });
  });
}
