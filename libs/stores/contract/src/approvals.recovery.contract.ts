import assert from 'node:assert/strict';
import type { RunResult } from '#contracts/approvals/approvals.js';
import type { StuckKind } from '#contracts/stores/approvals.store.js';
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
} from './approval-helpers.js';
import { approvalEvidence } from './builders.js';
import { type Runner, type BackendFixture, entriesOf, pagesOf } from './backend-fixture.js';
import { UNSTORABLE_TEXTS } from './hostile-text.js';

const HOUR = 3_600_000;
const LATE: RunResult = { result: null, error: { code: 'late', message: 'was not run in time' } };

export function approvalsRecoveryContract({ describe, it }: Runner, fixture: BackendFixture): void {
  const stuckIds = async (kind: StuckKind, forMs = 0): Promise<number[]> =>
    (await entriesOf((page) => fixture.backend.approvals.stuck(kind, forMs, page))).map(({ id }) => id);

  describe('stuck', () => {
    it('returns overdue, unrun and lost calls separately', async () => {
      const overdue = await park(fixture, { ttlMs: -1000 });
      await park(fixture);
      const unrun = await parkApproved(fixture);
      const lost = await parkClaimed(fixture, 0);
      await parkClaimed(fixture);
      await parkFinished(fixture, 'executed');
      assert.deepEqual(await stuckIds('overdue'), [overdue.id]);
      assert.deepEqual(await stuckIds('unrun'), [unrun.id]);
      assert.deepEqual(await stuckIds('lost'), [lost.id]);
    });

    it('returns only calls that are stuck for at least the given time', async () => {
      await park(fixture, { ttlMs: -1000 });
      const long = await park(fixture, { ttlMs: -2 * HOUR });
      await parkApproved(fixture);
      await parkClaimed(fixture, 0);
      assert.deepEqual(await stuckIds('overdue', HOUR), [long.id]);
      assert.deepEqual(await stuckIds('unrun', HOUR), []);
      assert.deepEqual(await stuckIds('lost', HOUR), []);
    });

    it('returns pages, newest first', async () => {
      const ids: number[] = [];
      for (let round = 0; round < 5; round++) ids.unshift((await parkApproved(fixture)).id);
      const pages = await pagesOf((page) => fixture.backend.approvals.stuck('unrun', 0, page), 2);
      assert.deepEqual(
        pages.map(({ entries }) => entries.map(({ id }) => id)),
        [ids.slice(0, 2), ids.slice(2, 4), ids.slice(4)],
      );
    });
  });

  describe('expire', () => {
    it('moves an overdue call once, with evidence', async () => {
      const parked = await park(fixture, { ttlMs: 0 });
      const moved = await fixture.concurrently(10, ({ approvals }) =>
        approvals.expire(parked.id, approvalEvidence),
      );
      const [expired, ...others] = moved.filter((approval) => approval !== null);
      assert.equal(others.length, 0);
      assert.ok(expired?.finishedAt instanceof Date);
      assert.deepEqual(expired, { ...parked, status: 'expired', finishedAt: expired.finishedAt });
      assert.equal((await evidenceTexts(fixture)).length, 2);
    });

    it('does not move a call that is not overdue or was decided', async () => {
      const { approvals } = fixture.backend;
      const open = await park(fixture);
      const approved = await parkApproved(fixture);
      for (const { id } of [open, approved]) assert.equal(await approvals.expire(id, approvalEvidence), null);
      assert.deepEqual(await approvals.find(open.id), open);
    });

    it('moves a call once in total if decide runs concurrently', async () => {
      const { id, tokenHash } = await park(fixture, { ttlMs: 0 });
      await fixture.concurrently(12, async ({ approvals }, index) =>
        index % 2 === 0 ? approvals.expire(id, approvalEvidence) : approvals.decide(tokenHash, command()),
      );
      assert.equal((await evidenceTexts(fixture)).length, 2);
    });
  });

  describe('supersede', () => {
    it('ends an approved call that does not run yet, with evidence', async () => {
      const { approvals } = fixture.backend;
      const approved = await parkApproved(fixture);
      const superseded = await approvals.supersede(approved.id, LATE, approvalEvidence);
      assert.ok(superseded?.finishedAt instanceof Date);
      const { finishedAt } = superseded;
      assert.deepEqual(superseded, { ...approved, ...LATE, status: 'superseded', finishedAt });
      assert.equal(await approvals.claim(approved.id, claiming()), null);
      assert.equal((await evidenceTexts(fixture)).length, 3);
    });

    it('does not end a pending, running or finished call', async () => {
      const { approvals } = fixture.backend;
      const others = [await park(fixture), await parkClaimed(fixture), await parkFinished(fixture, 'failed')];
      for (const other of others) {
        assert.equal(await approvals.supersede(other.id, LATE, approvalEvidence), null);
        assert.deepEqual(await approvals.find(other.id), other);
      }
    });

    it('excludes a concurrent claim: exactly one of them succeeds', async () => {
      const { id } = await parkApproved(fixture);
      const results = await fixture.concurrently(10, ({ approvals }, index) =>
        index % 2 === 0 ? approvals.supersede(id, LATE, approvalEvidence) : approvals.claim(id, claiming()),
      );
      assert.equal(results.filter((result) => result !== null).length, 1);
    });
  });

  describe('resolve', () => {
    for (const end of ['executed', 'failed'] as const) {
      it(`resolves an unknown outcome as ${end} and records the actor and the reason`, async () => {
        const { approvals } = fixture.backend;
        const unknown = await parkFinished(fixture, 'outcome_unknown');
        const resolved = await approvals.resolve(unknown.id, resolution({ resolution: end }));
        assert.ok(resolved?.resolvedAt instanceof Date && resolved.finishedAt instanceof Date);
        const { resolvedAt, finishedAt } = resolved;
        assert.deepEqual(resolved, {
          ...unknown,
          status: end,
          resolvedBy: 'ops-2',
          resolvedReason: 'confirmed by the bank',
          resolvedAt,
          finishedAt,
        });
        assert.deepEqual(await approvals.find(unknown.id), resolved);
        assert.deepEqual((await evidenceTexts(fixture)).at(-1), `approval ${unknown.id} is ${end}`);
      });
    }

    it('accepts exactly one of ten concurrent resolutions', async () => {
      const { id } = await parkFinished(fixture, 'outcome_unknown');
      const results = await fixture.concurrently(10, ({ approvals }, index) =>
        approvals.resolve(id, resolution({ resolution: index % 2 === 0 ? 'executed' : 'failed' })),
      );
      assert.equal(results.filter((result) => result !== null).length, 1);
      assert.equal((await evidenceTexts(fixture)).length, 4);
    });

    it('does not resolve a call with another status', async () => {
      const { approvals } = fixture.backend;
      const others = [
        await park(fixture),
        await parkClaimed(fixture, 0),
        await parkFinished(fixture, 'executed'),
      ];
      for (const other of others) {
        assert.equal(await approvals.resolve(other.id, resolution()), null);
        assert.deepEqual(await approvals.find(other.id), other);
      }
      assert.equal(await approvals.resolve(999_999, resolution()), null);
    });

    it('changes nothing if the evidence builder throws', async () => {
      const { approvals } = fixture.backend;
      const unknown = await parkFinished(fixture, 'outcome_unknown');
      const settling = resolution({ evidence: noEvidence });
      await assert.rejects(approvals.resolve(unknown.id, settling), /no evidence/);
      assert.deepEqual(await approvals.find(unknown.id), unknown);
    });

    for (const { name, given, kept } of UNSTORABLE_TEXTS) {
      it(`replaces ${name} in the reason and the actor`, async () => {
        const { id } = await parkFinished(fixture, 'outcome_unknown');
        const settling = resolution({ reason: given, actorId: given });
        const resolved = await fixture.backend.approvals.resolve(id, settling);
        assert.deepEqual([resolved?.resolvedReason, resolved?.resolvedBy], [kept, kept]);
      });
    }
  });
}
