import assert from 'node:assert/strict';
import { claiming, command, finishing } from './approval-helpers.js';
import {
  approvalEvidence,
  decision,
  newApproval,
  noonPlus,
  outgoingEvent,
  settingsPlan,
} from './builders.js';
import type { Runner, BackendFixture } from './backend-fixture.js';
import { UNSTORABLE_TEXTS } from './hostile-text.js';
import { claim, claimOne, idsOf, settling, queueFor } from './outbox-helpers.js';

/** Evidence with an outgoing event for the step. */
const evidence: typeof approvalEvidence = (approval) => ({
  ...approvalEvidence(approval),
  outgoing: [outgoingEvent({ payload: { status: approval.status } })],
});

export function outboxEventsContract({ describe, it }: Runner, fixture: BackendFixture): void {
  describe('queued events', () => {
    it('do not exist at first', async () => {
      assert.deepEqual(await claim(fixture), []);
    });

    it('are claimed as they were queued, with their audit id and without an attempt', async () => {
      const event = outgoingEvent({
        name: 'guardrails.tool.rejected',
        subject: 'principal:customer-42',
        severity: 'critical',
        occurredAt: noonPlus(123),
        payload: {
          rule_ids: ['b', 'a'],
          counts: { z: 1, a: 0.1 },
          none: null,
          link: 'https://panel.example/1',
        },
      });
      const auditId = await fixture.backend.audit.append(decision({ outgoing: [event] }));
      const { position, lease, queuedAt, ...queued } = await claimOne(fixture);
      assert.ok(Number.isSafeInteger(position) && position > 0 && lease !== '' && queuedAt instanceof Date);
      const { sinks: _selected, ...stored } = event;
      assert.deepEqual(queued, { ...stored, auditId, attempts: 0 });
      assert.equal(JSON.stringify(queued.payload), JSON.stringify(event.payload));
    });

    it('keep the order within a decision', async () => {
      const outgoing = [outgoingEvent(), outgoingEvent(), outgoingEvent()];
      const auditId = await fixture.backend.audit.append(decision({ outgoing }));
      const claimed = await claim(fixture);
      assert.deepEqual(idsOf(claimed), idsOf(outgoing));
      assert.ok(claimed.every((event) => event.auditId === auditId));
    });

    it('include events of settings, which have no audit id', async () => {
      const event = outgoingEvent({ name: 'guardrails.settings.changed' });
      await fixture.backend.settings.apply(() =>
        settingsPlan({ overrides: { 'modes.hitl': 'off' }, outgoing: [event] }),
      );
      const queued = await claimOne(fixture);
      assert.deepEqual([queued.id, queued.auditId], [event.id, null]);
    });

    it('include added events without a transaction, in their order', async () => {
      const events = [outgoingEvent({ subject: 'a' }), outgoingEvent({ subject: 'a' })];
      await fixture.backend.outbox.add([]);
      await fixture.backend.outbox.add(events);
      const queued = await claim(fixture);
      assert.deepEqual(idsOf(queued), idsOf(events));
      assert.ok(queued.every(({ auditId }) => auditId === null));
    });

    it('are not created by a settings plan that throws or returns null', async () => {
      const { settings } = fixture.backend;
      await settings.apply(() => null);
      const failing = settings.apply(() => {
        throw new Error('plan failed');
      });
      await assert.rejects(failing);
      assert.deepEqual(await claim(fixture), []);
    });

    it('of requesting, deciding and finishing refer to the evidence of the step', async () => {
      const { approvals, audit } = fixture.backend;
      const call = newApproval();
      const parked = await approvals.park(call, evidence, 20);
      const id = parked?.approval.id ?? 0;
      for (const step of [command(), claiming(), finishing('executed')])
        await approvals.change(id, step, evidence);
      const claimed = await claim(fixture);
      assert.deepEqual(
        claimed.map((event) => event.payload['status']),
        ['pending', 'approved', 'executed'],
      );
      for (const event of claimed) {
        const found = await audit.find(event.auditId ?? 0);
        assert.equal(found?.prompt, `approval ${id} is ${String(event.payload['status'])}`);
      }
    });

    for (const { name, given, kept } of UNSTORABLE_TEXTS) {
      it(`have ${name} replaced, and accept it in an error`, async () => {
        const event = outgoingEvent({ id: given, subject: given, payload: { [given]: [given] } });
        await fixture.backend.audit.append(decision({ outgoing: [event] }));
        const queued = await claimOne(fixture);
        assert.deepEqual([queued.id, queued.subject, queued.payload], [kept, kept, { [kept]: [kept] }]);
        await settling(fixture).retry(queued, 0, given);
        assert.equal((await claimOne(fixture)).attempts, 1);
      });
    }
  });

  describe('after', () => {
    it('returns nothing at first', async () => {
      assert.deepEqual(await fixture.backend.outbox.after(0, 10), []);
    });

    it('returns the stored events of all sinks in the order of commits', async () => {
      const { outbox } = fixture.backend;
      const before = await outbox.newest();
      const ids = [
        ...(await queueFor(fixture, [], 'a')),
        ...(await queueFor(fixture, ['chat', 'siem'], 'a')),
        ...(await queueFor(fixture, ['siem'], 'b')),
      ];
      const found = await outbox.after(before, 10);
      assert.deepEqual(idsOf(found), ids);
      assert.ok(found.every(({ sequence }, at) => sequence > (found[at - 1]?.sequence ?? before)));
      assert.equal(await outbox.newest(), found.at(-1)?.sequence);
    });

    it('continues after the given sequence number, up to the limit', async () => {
      const { outbox } = fixture.backend;
      const ids = await queueFor(fixture, [], 'a', 'b', 'c', 'd', 'e');
      const first = await outbox.after(0, 2);
      const rest = await outbox.after(first.at(-1)?.sequence ?? 0, 10);
      assert.deepEqual([idsOf(first), idsOf(rest)], [ids.slice(0, 2), ids.slice(2)]);
      assert.deepEqual(await outbox.after(rest.at(-1)?.sequence ?? 0, 10), []);
    });

    it('returns delivered events with the same sequence number', async () => {
      const { outbox } = fixture.backend;
      await queueFor(fixture, ['siem'], 'a');
      const before = await outbox.after(0, 10);
      await settling(fixture).delivered(...(await claim(fixture)));
      assert.deepEqual(await outbox.after(0, 10), before);
    });

    it('returns the audit id of each event, and null for settings', async () => {
      const auditId = await fixture.backend.audit.append(decision({ outgoing: [outgoingEvent()] }));
      await fixture.backend.settings.apply(() =>
        settingsPlan({ overrides: { 'modes.hitl': 'off' }, outgoing: [outgoingEvent()] }),
      );
      const found = await fixture.backend.outbox.after(0, 10);
      assert.deepEqual(
        found.map((event) => event.auditId),
        [auditId, null],
      );
    });

    it('skips no event while many write and read concurrently', async () => {
      const total = 60;
      const seen: string[] = [];
      let written = 0;
      const read = async (): Promise<void> => {
        const reader = await fixture.another();
        let last = 0;
        for (let done = false; !done;) {
          done = written === total;
          const found = await reader.outbox.after(last, 7);
          last = found.at(-1)?.sequence ?? last;
          seen.push(...idsOf(found));
          done &&= found.length === 0;
        }
      };
      const write = fixture.concurrently(total, async ({ audit }, at) => {
        await audit.append(decision({ outgoing: [outgoingEvent({ id: `event-${at}`, sinks: [] })] }));
        written += 1;
      });
      await Promise.all([write, read()]);
      assert.deepEqual(seen.toSorted(), Array.from({ length: total }, (_, at) => `event-${at}`).toSorted());
    });
  });
}
