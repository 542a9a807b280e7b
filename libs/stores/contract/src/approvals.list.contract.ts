import assert from 'node:assert/strict';
import { type Approval, isInSummary, RISK_NAMES } from '#contracts/approvals/approvals.js';
import type {
  ApprovalFilter,
  CallFilter,
  ReminderKind,
  StuckKind,
} from '#contracts/stores/approvals.store.js';
import {
  changed,
  command,
  LEASE_MS,
  park,
  parkApproved,
  parkClaimed,
  parkFinished,
  resolution,
} from './approval-helpers.js';
import { entriesOf, idsOf, type Contract } from './backend-fixture.js';
import { LONG_TEXT } from './hostile-text.js';

const HOUR = 3_600_000;
/** Looks like the name of a risk. */
const TEXT = '"name":"suspect_run"';

export const approvalsListContract: Contract = ({ describe, it }, fixture) => {
  const { approvals } = fixture;
  const waiting = async (filter: CallFilter = {}) =>
    idsOf(await entriesOf((page) => approvals.pending(page, filter)));
  const past = async (filter: ApprovalFilter = {}) =>
    idsOf(await entriesOf((page) => approvals.history(filter, page)));
  const decidedBy = async (actorId: string, verdict: 'approved' | 'rejected', tool: string) =>
    (await changed(fixture, await park(fixture, { tool }), command({ verdict, actorId }))).id;

  describe('pending and find', () => {
    it('return whole approvals, newest first, also on another instance', async () => {
      const other = await fixture.another();
      const first = await park(fixture, { arguments: { a: [1, { b: null }] }, warnings: ['holds markup'] });
      const second = await park(fixture);
      for (const backend of [fixture.backend, other]) {
        assert.deepEqual((await backend.approvals.pending({ limit: 200 })).entries, [second, first]);
        assert.deepEqual(await backend.approvals.find(first.id), first);
      }
    });

    it('put the gravest risk first, then more risks, then what expires first', async () => {
      const calls = [[], [], [2], [1], [1, 4], [0]];
      const parked: Approval[] = [];
      for (const [place, risks] of calls.entries()) {
        const risk = risks.map((at) => ({ name: RISK_NAMES[at] ?? 'personal_data', text: TEXT }));
        parked.unshift(await park(fixture, { risk, ttlMs: (9 - place) * HOUR }));
      }
      const page = await approvals.pending({ limit: 5, sort: 'risk' });
      assert.deepEqual(page, { entries: parked.slice(0, 5), next_cursor: null });
    });

    it('return the arguments of approved calls, newest first', async () => {
      for (const a of [1, 2]) await changed(fixture, await park(fixture, { arguments: { a } }), command());
      await park(fixture);
      const approved = await approvals.approvedArguments({ tool: 'refund' }, 9);
      assert.deepEqual(approved, [{ a: 2 }, { a: 1 }]);
    });

    it('store long texts whole and compare them in full length', async () => {
      const texts = { tool: LONG_TEXT, principalId: LONG_TEXT, application: LONG_TEXT };
      const call = await park(fixture, texts);
      assert.deepEqual({ ...call, ...texts }, call);
      await changed(fixture, call, command({ verdict: 'rejected', actorId: LONG_TEXT }));
      assert.deepEqual(await past({ tool: LONG_TEXT }), [call.id]);
      assert.deepEqual(await past({ actor: LONG_TEXT }), [call.id]);
      assert.deepEqual(await past({ tool: `${LONG_TEXT}!` }), []);
    });

    it('return null for an id or hash that does not exist', async () => {
      const { id } = await park(fixture);
      for (const unknown of [0, -1, id + 1000, Number.MAX_SAFE_INTEGER]) {
        assert.equal(await approvals.find(unknown), null);
      }
      for (const unknown of ['', 'x', "' OR true --", 'x\u0000\uD83D', 'f'.repeat(64)]) {
        assert.equal(await approvals.findByTokenHash(unknown), null);
      }
    });
  });

  describe('history', () => {
    it('returns calls that are no longer pending, newest first, without their large fields', async () => {
      await park(fixture);
      const approved = await parkApproved(fixture);
      const ran = await parkFinished(fixture, 'executed');
      const { entries, ...page } = await approvals.history({}, { limit: 10 });
      assert.deepEqual(idsOf(entries), [ran.id, approved.id]);
      const summary = Object.fromEntries(Object.entries(ran).filter(([name]) => isInSummary(name)));
      assert.deepEqual({ ...entries[0] }, summary);
      assert.deepEqual([page.next_cursor, page.partial], [null, undefined]);
    });

    it('filters by status, `pending` included', async () => {
      const calls = [
        await park(fixture),
        await parkApproved(fixture),
        await parkClaimed(fixture),
        await parkFinished(fixture, 'failed'),
      ];
      for (const { id, status } of calls) assert.deepEqual(await past({ status }), [id]);
      assert.deepEqual(await past({ status: 'superseded' }), []);
    });

    it('filters by exact tool and exact actor', async () => {
      const one = await decidedBy('ops-1', 'approved', 'refund');
      const other = await decidedBy('ops-2', 'rejected', 'refund');
      const email = await decidedBy('ops-2', 'rejected', 'send_email');
      assert.deepEqual(await past({ tool: 'refund' }), [other, one]);
      assert.deepEqual(await past({ actor: 'ops-2' }), [email, other]);
      assert.deepEqual(await past({ actor: 'ops-2', tool: 'refund', status: 'rejected' }), [other]);
      for (const unknown of ['ops', 'OPS-2', 'ops-_', '%', ''])
        assert.deepEqual(await past({ actor: unknown }), []);
    });

    it('finds by actor the calls decided or resolved by that actor, each once', async () => {
      const unknown = await parkFinished(fixture, 'outcome_unknown');
      const own = await decidedBy('ops-2', 'rejected', 'refund');
      const both = await parkFinished(fixture, 'outcome_unknown');
      for (const call of [unknown, both]) await changed(fixture, call, resolution());
      const read = await entriesOf((page) => approvals.history({ actor: 'ops-2' }, page), 1);
      assert.deepEqual(idsOf(read), [both.id, own, unknown.id]);
      assert.deepEqual(await past({ actor: 'ops-1' }), [both.id, unknown.id]);
    });
  });

  describe('pending and history', () => {
    const parts = { tool: 'refund', principalId: 'customer-42', application: 'shop', runId: 'run-1' };
    const others = { tool: 'send_email', principalId: 'customer-7', application: 'other', runId: 'run-2' };
    for (const [key, value] of Object.entries(parts)) {
      it(`filter by exact ${key}`, async () => {
        const open = await park(fixture, parts);
        await park(fixture, others);
        const ended = await parkFinished(fixture, 'executed', parts);
        await parkFinished(fixture, 'executed', { ...others, argumentsDigest: 'd'.repeat(64) });
        assert.deepEqual(
          [await waiting({ [key]: value }), await past({ [key]: value })],
          [[open.id], [ended.id]],
        );
        for (const unknown of [value.toUpperCase(), `${value}%`, value.slice(1), ''])
          assert.deepEqual([await waiting({ [key]: unknown }), await past({ [key]: unknown })], [[], []]);
      });
    }

    it('find literal text in the names and texts of arguments', async () => {
      const text = 'Straße 100% _a\\b "quoted"\nnext ÄÖ';
      const { id } = await park(fixture, { arguments: { Order: [{ note: text }] } });
      await park(fixture, { arguments: { order_no: 'plain' } });
      for (const q of [text, 'straße 100%', '_A\\B', 'b "QUOTED"', '"\nnext', 'note', 'ÄÖ'])
        assert.deepEqual(await waiting({ q }), [id], q);
      for (const q of ['strasse', '1000', 'a_b', 'äö', '%straße'])
        assert.deepEqual(await waiting({ q }), [], q);
      assert.equal((await waiting({ q: 'ORDER' })).length, 2);
    });

    it('filter by the time of the request, inclusive at both ends', async () => {
      const { id, createdAt } = await park(fixture);
      const [before, after] = [new Date(createdAt.getTime() - 1), new Date(createdAt.getTime() + 1)];
      for (const filter of [{ from: createdAt }, { to: createdAt }, { from: before, to: after }])
        assert.deepEqual(await waiting(filter), [id]);
      for (const filter of [{ from: after }, { to: before }]) assert.deepEqual(await waiting(filter), []);
    });
  });
};

/** What something must be done with: recovery, reminders, and outcomes to notify. */
export const approvalsDueContract: Contract = ({ describe, it }, fixture) => {
  const { approvals } = fixture;
  const stuckIds = async (kind: StuckKind, forMs = 0) =>
    idsOf(await entriesOf((page) => approvals.stuck(kind, forMs, page)));
  const reminderIds = async (kind: ReminderKind, afterMs = 0) =>
    idsOf(await approvals.dueReminders(kind, afterMs, 10));
  const notificationIds = async (graceMs = 0, limit = 100) =>
    idsOf(await approvals.dueNotifications(graceMs, limit));

  describe('stuck', () => {
    it('returns overdue, unrun and lost calls separately, and those of at least the given time', async () => {
      const overdue = await park(fixture, { ttlMs: -1000 });
      const long = await park(fixture, { ttlMs: -2 * HOUR });
      await park(fixture);
      const unrun = await parkApproved(fixture);
      const lost = await parkClaimed(fixture, 0);
      await parkClaimed(fixture);
      await parkFinished(fixture, 'executed');
      assert.deepEqual(await stuckIds('overdue'), [long.id, overdue.id]);
      assert.deepEqual(await stuckIds('unrun'), [unrun.id]);
      assert.deepEqual(await stuckIds('lost'), [lost.id]);
      assert.deepEqual(await stuckIds('restored'), []);
      assert.deepEqual(await stuckIds('overdue', HOUR), [long.id]);
      assert.deepEqual(await stuckIds('unrun', HOUR), []);
      assert.deepEqual(await stuckIds('lost', HOUR), []);
    });
  });

  describe('reminders', () => {
    it('are due once of each kind, for calls that still wait and have waited long enough', async () => {
      const waiting = await park(fixture);
      await parkApproved(fixture);
      await park(fixture, { ttlMs: 0 });
      for (const reminder of ['reminded', 'escalated'] as const) {
        assert.deepEqual(await reminderIds(reminder, HOUR), []);
        assert.deepEqual(await reminderIds(reminder), [waiting.id]);
        await changed(fixture, waiting, { kind: 'remind', reminder, afterMs: 0 });
        assert.deepEqual(await reminderIds(reminder), []);
      }
    });
  });

  describe('outcomes', () => {
    it('are settled when the call has reached a final status', async () => {
      const open = [await park(fixture), await parkApproved(fixture), await parkClaimed(fixture)];
      const ended = [
        await changed(fixture, await park(fixture), command({ verdict: 'rejected' })),
        await changed(fixture, await park(fixture, { ttlMs: 0 }), { kind: 'expire' }),
        await parkFinished(fixture, 'executed'),
        await parkFinished(fixture, 'outcome_unknown'),
      ].map(({ id }) => id);
      const settled = await approvals.settled([...idsOf(open), ...ended, 999_999]);
      assert.deepEqual(
        idsOf(settled).toSorted((a, b) => a - b),
        ended,
      );
      assert.deepEqual(await approvals.settled([]), []);
    });

    it('are to be notified, oldest first, once they have ended for the given time', async () => {
      for (const from of [park, parkApproved, parkClaimed]) await from(fixture);
      const first = await parkFinished(fixture, 'executed');
      const second = await parkFinished(fixture, 'failed');
      assert.deepEqual(await notificationIds(), [first.id, second.id]);
      assert.deepEqual(await notificationIds(0, 1), [first.id]);
      assert.deepEqual(await notificationIds(HOUR), []);
    });

    it('are to be notified again after a lease or a delay, until they were notified', async () => {
      const call = await parkFinished(fixture, 'executed');
      for (const [given, isDue] of [
        [{ kind: 'claimNotification', leaseMs: 0 }, true],
        [{ kind: 'claimNotification', leaseMs: LEASE_MS }, false],
        [{ kind: 'retryNotification', status: 'executed', inMs: 0 }, true],
        [{ kind: 'retryNotification', status: 'executed', inMs: LEASE_MS }, false],
        [{ kind: 'retryNotification', status: 'executed', inMs: 0 }, true],
        [{ kind: 'markNotified', status: 'executed' }, false],
      ] as const) {
        await changed(fixture, call, given);
        assert.deepEqual(await notificationIds(), isDue ? [call.id] : [], JSON.stringify(given));
      }
    });

    it('that are resolved are notified again, even while the unknown outcome is notified', async () => {
      const call = await parkFinished(fixture, 'outcome_unknown');
      await changed(fixture, call, { kind: 'claimNotification', leaseMs: LEASE_MS });
      await changed(fixture, call, resolution());
      assert.deepEqual(await notificationIds(), [call.id]);
      const again = await changed(fixture, call, { kind: 'claimNotification', leaseMs: LEASE_MS });
      assert.deepEqual([again.status, again.notifyAttempts], ['executed', 1]);
    });
  });
};
