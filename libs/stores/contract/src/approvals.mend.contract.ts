import assert from 'node:assert/strict';
import type { RunResult } from '../../../contracts/src/approvals.js';
import type { StuckKind } from '../../../contracts/src/approvals.store.js';
import {
  claiming,
  command,
  evidenceTexts,
  noEvidence,
  park,
  parkApproved,
  parkClaimed,
  parkFinished,
  resolution,
} from './approval-acts.js';
import { approvalEvidence } from './builders.js';
import type { Runner, Stage } from './harness.js';
import { UNSTORABLE_TEXTS } from './hostile-text.js';
import { entriesOf, pagesOf } from './reading.js';

const HOUR = 3_600_000;
const LATE: RunResult = { result: null, error: { code: 'late', message: 'nobody ran it in time' } };

export function approvalsMendContract({ describe, it }: Runner, stage: Stage): void {
  const stuckIds = async (kind: StuckKind, forMs = 0): Promise<number[]> =>
    (await entriesOf((page) => stage.backend.approvals.stuck(kind, forMs, page))).map(({ id }) => id);

  describe('stuck', () => {
    it('finds what is overdue, unrun or lost, each for itself', async () => {
      const overdue = await park(stage, { ttlMs: -1000 });
      await park(stage);
      const unrun = await parkApproved(stage);
      const lost = await parkClaimed(stage, 0);
      await parkClaimed(stage);
      await parkFinished(stage, 'executed');
      assert.deepEqual(await stuckIds('overdue'), [overdue.id]);
      assert.deepEqual(await stuckIds('unrun'), [unrun.id]);
      assert.deepEqual(await stuckIds('lost'), [lost.id]);
    });

    it('finds what is stuck for long enough only', async () => {
      await park(stage, { ttlMs: -1000 });
      const long = await park(stage, { ttlMs: -2 * HOUR });
      await parkApproved(stage);
      await parkClaimed(stage, 0);
      assert.deepEqual(await stuckIds('overdue', HOUR), [long.id]);
      assert.deepEqual(await stuckIds('unrun', HOUR), []);
      assert.deepEqual(await stuckIds('lost', HOUR), []);
    });

    it('is read in pages, newest first', async () => {
      const ids: number[] = [];
      for (let round = 0; round < 5; round++) ids.unshift((await parkApproved(stage)).id);
      const pages = await pagesOf((page) => stage.backend.approvals.stuck('unrun', 0, page), 2);
      assert.deepEqual(
        pages.map(({ entries }) => entries.map(({ id }) => id)),
        [ids.slice(0, 2), ids.slice(2, 4), ids.slice(4)],
      );
    });
  });

  describe('expire', () => {
    it('moves a call whose time is up, once, with evidence', async () => {
      const parked = await park(stage, { ttlMs: 0 });
      const moved = await stage.together(10, ({ approvals }) =>
        approvals.expire(parked.id, approvalEvidence),
      );
      const [expired, ...others] = moved.filter((approval) => approval !== null);
      assert.equal(others.length, 0);
      assert.ok(expired?.finishedAt instanceof Date);
      assert.deepEqual(expired, { ...parked, status: 'expired', finishedAt: expired.finishedAt });
      assert.equal((await evidenceTexts(stage)).length, 2);
    });

    it('does not move a call that has time, or was decided', async () => {
      const { approvals } = stage.backend;
      const open = await park(stage);
      const approved = await parkApproved(stage);
      for (const { id } of [open, approved]) assert.equal(await approvals.expire(id, approvalEvidence), null);
      assert.deepEqual(await approvals.find(open.id), open);
    });

    it('and decide move a call once between them', async () => {
      const { id, tokenHash } = await park(stage, { ttlMs: 0 });
      await stage.together(12, async ({ approvals }, index) =>
        index % 2 === 0 ? approvals.expire(id, approvalEvidence) : approvals.decide(tokenHash, command()),
      );
      assert.equal((await evidenceTexts(stage)).length, 2);
    });
  });

  describe('supersede', () => {
    it('ends an approved call that has not begun, with evidence', async () => {
      const { approvals } = stage.backend;
      const approved = await parkApproved(stage);
      const superseded = await approvals.supersede(approved.id, LATE, approvalEvidence);
      assert.ok(superseded?.finishedAt instanceof Date);
      const { finishedAt } = superseded;
      assert.deepEqual(superseded, { ...approved, ...LATE, status: 'superseded', finishedAt });
      assert.equal(await approvals.claim(approved.id, claiming()), null);
      assert.equal((await evidenceTexts(stage)).length, 3);
    });

    it('does not end one that waits, runs or has ended', async () => {
      const { approvals } = stage.backend;
      const others = [await park(stage), await parkClaimed(stage), await parkFinished(stage, 'failed')];
      for (const other of others) {
        assert.equal(await approvals.supersede(other.id, LATE, approvalEvidence), null);
        assert.deepEqual(await approvals.find(other.id), other);
      }
    });

    it('or claim: one of them wins', async () => {
      const { id } = await parkApproved(stage);
      const results = await stage.together(10, ({ approvals }, index) =>
        index % 2 === 0 ? approvals.supersede(id, LATE, approvalEvidence) : approvals.claim(id, claiming()),
      );
      assert.equal(results.filter((result) => result !== null).length, 1);
    });
  });

  describe('resolve', () => {
    for (const end of ['executed', 'failed'] as const) {
      it(`settles an unknown outcome as ${end}, and keeps who said so and why`, async () => {
        const { approvals } = stage.backend;
        const unknown = await parkFinished(stage, 'outcome_unknown');
        const resolved = await approvals.resolve(unknown.id, resolution({ resolution: end }));
        assert.ok(resolved?.resolvedAt instanceof Date && resolved.finishedAt instanceof Date);
        const { resolvedAt, finishedAt } = resolved;
        assert.deepEqual(resolved, {
          ...unknown,
          status: end,
          resolvedBy: 'ops-2',
          resolvedReason: 'the bank says so',
          resolvedAt,
          finishedAt,
        });
        assert.deepEqual(await approvals.find(unknown.id), resolved);
        assert.deepEqual((await evidenceTexts(stage)).at(-1), `approval ${unknown.id} is ${end}`);
      });
    }

    it('is won by exactly one of ten at once', async () => {
      const { id } = await parkFinished(stage, 'outcome_unknown');
      const results = await stage.together(10, ({ approvals }, index) =>
        approvals.resolve(id, resolution({ resolution: index % 2 === 0 ? 'executed' : 'failed' })),
      );
      assert.equal(results.filter((result) => result !== null).length, 1);
      assert.equal((await evidenceTexts(stage)).length, 4);
    });

    it('does not settle what is not unknown', async () => {
      const { approvals } = stage.backend;
      const others = [await park(stage), await parkClaimed(stage, 0), await parkFinished(stage, 'executed')];
      for (const other of others) {
        assert.equal(await approvals.resolve(other.id, resolution()), null);
        assert.deepEqual(await approvals.find(other.id), other);
      }
      assert.equal(await approvals.resolve(999_999, resolution()), null);
    });

    it('changes nothing when its evidence cannot be built', async () => {
      const { approvals } = stage.backend;
      const unknown = await parkFinished(stage, 'outcome_unknown');
      const settling = resolution({ evidence: noEvidence });
      await assert.rejects(approvals.resolve(unknown.id, settling), /no evidence/);
      assert.deepEqual(await approvals.find(unknown.id), unknown);
    });

    for (const { name, given, kept } of UNSTORABLE_TEXTS) {
      it(`scrubs ${name} in the reason and the actor`, async () => {
        const { id } = await parkFinished(stage, 'outcome_unknown');
        const settling = resolution({ reason: given, actorId: given });
        const resolved = await stage.backend.approvals.resolve(id, settling);
        assert.deepEqual([resolved?.resolvedReason, resolved?.resolvedBy], [kept, kept]);
      });
    }
  });
}
