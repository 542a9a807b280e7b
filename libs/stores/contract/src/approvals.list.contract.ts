import assert from 'node:assert/strict';
import type { Approval } from '#contracts/approvals/approvals.js';
import type { ApprovalFilter, CallFilter } from '#contracts/stores/approvals.store.js';
import { command, park, parkApproved, parkClaimed, parkFinished, resolution } from './approval-helpers.js';
import { approvalEvidence, newApproval } from './builders.js';
import { type Runner, type BackendFixture, entriesOf, pagesOf } from './backend-fixture.js';
import { LONG_TEXT } from './hostile-text.js';

export function approvalsListContract({ describe, it }: Runner, fixture: BackendFixture): void {
  const pendingIds = async (): Promise<number[]> =>
    (await entriesOf((page) => fixture.backend.approvals.pending(page))).map((approval) => approval.id);

  describe('pending and find', () => {
    it('return one empty page if nothing is pending', async () => {
      const page = await fixture.backend.approvals.pending({ limit: 200 });
      assert.deepEqual(page, { entries: [], next_cursor: null });
    });

    it('return whole approvals, newest first', async () => {
      const first = await park(fixture, { arguments: { a: [1, { b: null }] }, warnings: ['holds markup'] });
      const second = await park(fixture);
      assert.deepEqual((await fixture.backend.approvals.pending({ limit: 200 })).entries, [second, first]);
    });

    for (const ttlMs of [0, -1, -3_600_000]) {
      it(`omit a call that has expired by a ttl of ${ttlMs}`, async () => {
        const open = await park(fixture);
        const { id } = await park(fixture, { ttlMs });
        assert.deepEqual(await pendingIds(), [open.id]);
        assert.equal((await fixture.backend.approvals.find(id))?.id, id);
      });
    }

    it('omit decided calls', async () => {
      await parkApproved(fixture);
      const rejected = await park(fixture);
      await fixture.backend.approvals.decide(rejected.tokenHash, command({ verdict: 'rejected' }));
      assert.deepEqual(await pendingIds(), []);
    });

    it('return full pages with expired calls among the rows', async () => {
      const ids: number[] = [];
      for (let round = 0; round < 4; round++) {
        ids.unshift((await park(fixture)).id);
        await park(fixture, { ttlMs: 0 });
      }
      const pages = await pagesOf((page) => fixture.backend.approvals.pending(page), 2);
      assert.deepEqual(
        pages.map((page) => page.entries.map((approval) => approval.id)),
        [ids.slice(0, 2), ids.slice(2)],
      );
      assert.ok(pages.every((page) => !page.partial));
    });

    it('store long texts whole and compare them in full length', async () => {
      const { approvals } = fixture.backend;
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

    it('return the same on another instance', async () => {
      const other = await fixture.another();
      const approval = await park(fixture);
      assert.deepEqual((await other.approvals.pending({ limit: 10 })).entries, [approval]);
      assert.deepEqual(await other.approvals.find(approval.id), approval);
    });

    it('return null for an id or hash that does not exist', async () => {
      const { approvals } = fixture.backend;
      const { id } = await park(fixture);
      for (const unknown of [0, -1, id + 1000, Number.MAX_SAFE_INTEGER]) {
        assert.equal(await approvals.find(unknown), null);
      }
      for (const unknown of ['', 'x', "' OR true --", 'x\u0000\uD83D', 'f'.repeat(64)]) {
        assert.equal(await approvals.findByTokenHash(unknown), null);
      }
    });
  });

  const idsOf = async (filter: ApprovalFilter): Promise<number[]> =>
    (await entriesOf((page) => fixture.backend.approvals.history(filter, page))).map(({ id }) => id);

  const decidedBy = async (id: string, verdict: 'approved' | 'rejected', tool: string): Promise<Approval> => {
    const { tokenHash } = await park(fixture, { tool });
    const decided = await fixture.backend.approvals.decide(tokenHash, command({ verdict, actorId: id }));
    assert.ok(decided.kind === 'decided');
    return decided.approval;
  };

  describe('history', () => {
    it('returns calls that are no longer pending, newest first, without their large fields', async () => {
      await park(fixture);
      const approved = await parkApproved(fixture);
      const ran = await parkFinished(fixture, 'executed');
      const page = await fixture.backend.approvals.history({}, { limit: 10 });
      assert.deepEqual(
        page.entries.map(({ id }) => id),
        [ran.id, approved.id],
      );
      const {
        arguments: _arguments,
        requestedArguments: _requestedArguments,
        overwritten: _overwritten,
        traceParent: _traceParent,
        result: _result,
        callMac: _callMac,
        decisionMac: _decisionMac,
        claims: _claims,
        ...summary
      } = ran;
      assert.deepEqual({ ...page.entries[0] }, summary);
      assert.deepEqual([page.next_cursor, page.partial], [null, undefined]);
    });

    it('returns full pages; the last cursor is null', async () => {
      const ids: number[] = [];
      for (let round = 0; round < 5; round++) {
        ids.unshift((await parkApproved(fixture)).id);
        await park(fixture);
      }
      const pages = await pagesOf((page) => fixture.backend.approvals.history({}, page), 2);
      assert.deepEqual(
        pages.map(({ entries }) => entries.map(({ id }) => id)),
        [ids.slice(0, 2), ids.slice(2, 4), ids.slice(4)],
      );
    });

    it('filters by status, `pending` included', async () => {
      const waiting = await park(fixture);
      const approved = await parkApproved(fixture);
      const running = await parkClaimed(fixture);
      const failed = await parkFinished(fixture, 'failed');
      assert.deepEqual(await idsOf({ status: 'pending' }), [waiting.id]);
      assert.deepEqual(await idsOf({ status: 'approved' }), [approved.id]);
      assert.deepEqual(await idsOf({ status: 'executing' }), [running.id]);
      assert.deepEqual(await idsOf({ status: 'failed' }), [failed.id]);
      assert.deepEqual(await idsOf({ status: 'superseded' }), []);
    });

    it('filters by exact tool and exact actor', async () => {
      const one = await decidedBy('ops-1', 'approved', 'refund');
      const other = await decidedBy('ops-2', 'rejected', 'refund');
      const email = await decidedBy('ops-2', 'rejected', 'send_email');
      assert.deepEqual(await idsOf({ tool: 'refund' }), [other.id, one.id]);
      assert.deepEqual(await idsOf({ actor: 'ops-2' }), [email.id, other.id]);
      assert.deepEqual(await idsOf({ actor: 'ops-2', tool: 'refund', status: 'rejected' }), [other.id]);
      for (const unknown of ['ops', 'OPS-2', 'ops-_', '%', '']) {
        assert.deepEqual(await idsOf({ actor: unknown }), []);
        assert.deepEqual(await idsOf({ tool: unknown }), []);
      }
    });

    const others = { tool: 'send_email', principalId: 'customer-7', application: 'other', runId: 'run-2' };
    for (const [name, filter] of Object.entries({
      tool: { tool: 'refund' },
      principal: { principalId: 'customer-42' },
      application: { application: 'shop' },
      run: { runId: 'run-1' },
    })) {
      it(`filters by exact ${name}, pending calls too`, async () => {
        const { approvals } = fixture.backend;
        const parts = { tool: 'refund', principalId: 'customer-42', application: 'shop', runId: 'run-1' };
        const waiting = await park(fixture, parts);
        await park(fixture, others);
        const decided = await parkFinished(fixture, 'executed', parts);
        await parkFinished(fixture, 'executed', { ...others, argumentsDigest: 'd'.repeat(64) });
        const pending = await entriesOf((page) => approvals.pending(page, filter));
        assert.deepEqual([pending.map(({ id }) => id), await idsOf(filter)], [[waiting.id], [decided.id]]);
        const [[key, value]] = Object.entries(filter) as [[string, string]];
        for (const unknown of [value.toUpperCase(), `${value}%`, value.slice(1), '']) {
          assert.deepEqual(await entriesOf((page) => approvals.pending(page, { [key]: unknown })), []);
          assert.deepEqual(await idsOf({ [key]: unknown }), []);
        }
      });
    }

    it('finds literal text in the names and texts of arguments', async () => {
      const { approvals } = fixture.backend;
      const text = 'Straße 100% _a\\b "quoted"\nnext ÄÖ';
      const { id } = await park(fixture, { arguments: { Order: [{ note: text }] } });
      await park(fixture, { arguments: { order_no: 'plain' } });
      const found = async (q: string): Promise<number[]> =>
        (await entriesOf((page) => approvals.pending(page, { q }))).map((approval) => approval.id);
      for (const q of [text, 'straße 100%', '_A\\B', 'b "QUOTED"', '"\nnext', 'note', 'ÄÖ'])
        assert.deepEqual(await found(q), [id], q);
      for (const q of ['strasse', '1000', 'a_b', 'äö', '%straße']) assert.deepEqual(await found(q), [], q);
      assert.equal((await found('ORDER')).length, 2);
    });

    it('filters by the time of the request, inclusive at both ends', async () => {
      const { approvals } = fixture.backend;
      const { id, createdAt } = await park(fixture);
      const [before, after] = [new Date(createdAt.getTime() - 1), new Date(createdAt.getTime() + 1)];
      const found = async (filter: CallFilter): Promise<number[]> =>
        (await entriesOf((page) => approvals.pending(page, filter))).map((approval) => approval.id);
      for (const filter of [{ from: createdAt }, { to: createdAt }, { from: before, to: after }])
        assert.deepEqual(await found(filter), [id]);
      for (const filter of [{ from: after }, { to: before }]) assert.deepEqual(await found(filter), []);
    });

    it('finds by actor the calls decided or resolved by that actor, each once', async () => {
      const unknown = await parkFinished(fixture, 'outcome_unknown');
      const own = await decidedBy('ops-2', 'rejected', 'refund');
      const both = await parkFinished(fixture, 'outcome_unknown');
      for (const { id } of [unknown, both]) await fixture.backend.approvals.resolve(id, resolution());
      const pages = await pagesOf((page) => fixture.backend.approvals.history({ actor: 'ops-2' }, page), 1);
      assert.deepEqual(
        pages.flatMap(({ entries }) => entries.map(({ id }) => id)),
        [both.id, own.id, unknown.id],
      );
      assert.deepEqual(await idsOf({ actor: 'ops-1' }), [both.id, unknown.id]);
    });
  });
}
