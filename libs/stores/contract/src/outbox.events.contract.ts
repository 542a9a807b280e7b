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
import { idsOf, type BackendFixture, type Contract } from './backend-fixture.js';
import { UNSTORABLE_TEXTS } from './hostile-text.js';
import { LONG, SIEM, sinkOf } from './outbox-helpers.js';

/** Evidence with an outgoing event for the step. */
const evidence: typeof approvalEvidence = (approval) => ({
  ...approvalEvidence(approval),
  outgoing: [outgoingEvent({ payload: { status: approval.status } })],
});

/** One event per second, starting at noon. */
async function eachSecond(
  fixture: BackendFixture,
  count: number,
  sinks: readonly string[],
): Promise<string[]> {
  const events = Array.from({ length: count }, (_, at) =>
    outgoingEvent({ occurredAt: noonPlus(at * 1000), sinks }),
  );
  for (const event of events) await fixture.audit.append(decision({ outgoing: [event] }));
  return idsOf(events);
}

/** Events: what is stored of them, how they are read in order, and when they are deleted. */
export const outboxEventsContract: Contract = ({ describe, it }, fixture) => {
  const { claim, claimOne, delivered, markDead, queueFor, retry } = sinkOf(fixture);
  const { approvals, audit, outbox, settings } = fixture;
  describe('queued events', () => {
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
      const further = [outgoingEvent(), outgoingEvent()];
      const auditId = await audit.append(decision({ outgoing: [event, ...further] }));
      const { position, lease, queuedAt, ...queued } = await claimOne();
      assert.ok(Number.isSafeInteger(position) && position > 0 && lease !== '' && queuedAt instanceof Date);
      const { sinks: _selected, ...stored } = event;
      assert.deepEqual(queued, { ...stored, auditId, attempts: 0 });
      assert.equal(JSON.stringify(queued.payload), JSON.stringify(event.payload));
      assert.deepEqual(idsOf(await claim()), idsOf(further));
    });

    it('have no audit id if they belong to settings or to nothing', async () => {
      const events = [outgoingEvent({ subject: 'a' }), outgoingEvent({ subject: 'a' })];
      await settings.apply(() => settingsPlan({ overrides: {}, outgoing: events.slice(0, 1) }));
      await outbox.add([]);
      await outbox.add(events.slice(1));
      assert.deepEqual(
        (await claim()).map(({ id, auditId }) => [id, auditId]),
        events.map(({ id }) => [id, null]),
      );
    });

    it('of requesting, deciding and finishing refer to the evidence of the step', async () => {
      const call = newApproval();
      const id = (await approvals.park(call, evidence, 20))?.approval.id ?? 0;
      for (const step of [command(), claiming(), finishing('executed')])
        await approvals.change(id, step, evidence);
      const claimed = await claim();
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
        await outbox.add([outgoingEvent({ id: given, subject: given, payload: { [given]: [given] } })]);
        const queued = await claimOne();
        assert.deepEqual([queued.id, queued.subject, queued.payload], [kept, kept, { [kept]: [kept] }]);
        await retry(queued, 0, given);
        assert.equal((await claimOne()).attempts, 1);
      });
    }
  });

  describe('after', () => {
    it('returns the stored events of all sinks in the order of commits, also after their delivery', async () => {
      assert.deepEqual(await outbox.after(0, 10), []);
      const before = await outbox.newest();
      const ids = [
        ...(await queueFor([], 'a')),
        ...(await queueFor(['chat', SIEM], 'a')),
        ...(await queueFor([SIEM], 'b')),
      ];
      const found = await outbox.after(before, 10);
      assert.deepEqual(idsOf(found), ids);
      assert.ok(found.every(({ auditId }) => auditId !== null));
      assert.ok(found.every(({ sequence }, at) => sequence > (found[at - 1]?.sequence ?? before)));
      assert.equal(await outbox.newest(), found.at(-1)?.sequence);
      const first = await outbox.after(before, 2);
      assert.deepEqual(await outbox.after(first[1]?.sequence ?? 0, 10), found.slice(2));
      await delivered(...(await claim()));
      assert.deepEqual(await outbox.after(before, 10), found);
    });

    it('skips no event while many write and read concurrently', async () => {
      const total = 60;
      const seen: string[] = [];
      let written = 0;
      const read = async () => {
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
      const write = fixture.concurrently(total, async (backend, at) => {
        await backend.audit.append(decision({ outgoing: [outgoingEvent({ id: `event-${at}`, sinks: [] })] }));
        written += 1;
      });
      await Promise.all([write, read()]);
      assert.deepEqual(seen.toSorted(), Array.from({ length: total }, (_, at) => `event-${at}`).toSorted());
    });
  });

  describe('prune', () => {
    const prune = (before: Date, limit = 100, sinks: readonly string[] = [SIEM]) =>
      outbox.prune(before, limit, sinks);
    const left = async () => idsOf(await outbox.after(0, 100));

    it('deletes events before the given time, oldest first, up to the limit', async () => {
      const ids = await eachSecond(fixture, 5, []);
      assert.equal(await prune(noonPlus(2000)), 2);
      assert.deepEqual(await left(), ids.slice(2));
      assert.equal(await prune(noonPlus(2000)), 0);
      assert.equal(await prune(noonPlus(LONG), 2), 2);
      assert.deepEqual(await left(), ids.slice(4));
    });

    it('keeps an event that waits for a sink and deletes it after delivery', async () => {
      const ids = await eachSecond(fixture, 2, [SIEM]);
      assert.equal(await prune(noonPlus(LONG)), 0);
      await delivered(await claimOne());
      assert.equal(await prune(noonPlus(LONG)), 1);
      assert.deepEqual(await left(), ids.slice(1));
    });

    it('deletes dead letters and events that wait only for a removed sink', async () => {
      await eachSecond(fixture, 2, ['chat', SIEM]);
      for (const event of await claim()) await markDead(event);
      assert.equal(await prune(noonPlus(LONG), 100, [SIEM, 'chat']), 0);
      assert.equal(await prune(noonPlus(LONG)), 2);
      assert.deepEqual([await left(), await outbox.backlog()], [[], []]);
      assert.deepEqual(await sinkOf(fixture, 'chat').claim(), []);
    });
  });
};
