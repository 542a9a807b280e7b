import assert from 'node:assert/strict';
import { command, park, parkApproved } from './approval-acts.js';
import { approvalEvidence, newApproval } from './builders.js';
import type { Runner, Stage } from './harness.js';
import { LONG_TEXT } from './hostile-text.js';
import { entriesOf, pagesOf } from './reading.js';

export function approvalsReadContract({ describe, it }: Runner, stage: Stage): void {
  const pendingIds = async (): Promise<number[]> =>
    (await entriesOf((page) => stage.backend.approvals.pending(page))).map((approval) => approval.id);

  describe('pending and find', () => {
    it('have one empty page at first', async () => {
      const page = await stage.backend.approvals.pending({ limit: 200 });
      assert.deepEqual(page, { entries: [], nextCursor: null, partial: false });
    });

    it('show the whole approval, newest first', async () => {
      const first = await park(stage, { arguments: { a: [1, { b: null }] }, warnings: ['holds markup'] });
      const second = await park(stage);
      assert.deepEqual((await stage.backend.approvals.pending({ limit: 200 })).entries, [second, first]);
    });

    for (const ttlMs of [0, -1, -3_600_000]) {
      it(`leave out a call whose time is up by a ttl of ${ttlMs}`, async () => {
        const open = await park(stage);
        const { id } = await park(stage, { ttlMs });
        assert.deepEqual(await pendingIds(), [open.id]);
        assert.equal((await stage.backend.approvals.find(id))?.id, id);
      });
    }

    it('leave out what is decided', async () => {
      await parkApproved(stage);
      const rejected = await park(stage);
      await stage.backend.approvals.decide(rejected.tokenHash, command({ verdict: 'rejected' }));
      assert.deepEqual(await pendingIds(), []);
    });

    it('are read in full pages that end with null, expired ones in between', async () => {
      const ids: number[] = [];
      for (let round = 0; round < 4; round++) {
        ids.unshift((await park(stage)).id);
        await park(stage, { ttlMs: 0 });
      }
      const pages = await pagesOf((page) => stage.backend.approvals.pending(page), 2);
      assert.deepEqual(
        pages.map((page) => page.entries.map((approval) => approval.id)),
        [ids.slice(0, 2), ids.slice(2)],
      );
      assert.ok(pages.every((page) => !page.partial));
    });

    it('keep long texts that nothing shortens, and find them by all of their length', async () => {
      const { approvals } = stage.backend;
      const texts = { tool: LONG_TEXT, principalId: LONG_TEXT, application: LONG_TEXT };
      const { approval } = (await approvals.park(newApproval(texts), approvalEvidence, 20)) ?? {};
      assert.deepEqual({ ...approval, ...texts }, approval);
      const actorId = LONG_TEXT;
      await approvals.decide(approval?.tokenHash ?? '', command({ verdict: 'rejected', actorId }));
      for (const filter of [{ tool: LONG_TEXT }, { actor: LONG_TEXT }]) {
        const [found] = await entriesOf((page) => approvals.history(filter, page));
        assert.equal(found?.id, approval?.id);
      }
      assert.deepEqual(await entriesOf((page) => approvals.history({ tool: `${LONG_TEXT}!` }, page)), []);
    });

    it('are the same for another instance', async () => {
      const other = await stage.another();
      const approval = await park(stage);
      assert.deepEqual((await other.approvals.pending({ limit: 10 })).entries, [approval]);
      assert.deepEqual(await other.approvals.find(approval.id), approval);
    });

    it('know nothing under an id or a hash that was never given', async () => {
      const { approvals } = stage.backend;
      const { id } = await park(stage);
      for (const unknown of [0, -1, id + 1000, Number.MAX_SAFE_INTEGER]) {
        assert.equal(await approvals.find(unknown), null);
      }
      for (const unknown of ['', 'x', "' OR true --", 'x\u0000\uD83D', 'f'.repeat(64)]) {
        assert.equal(await approvals.findByTokenHash(unknown), null);
      }
    });
  });
}
