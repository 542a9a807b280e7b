import assert from 'node:assert/strict';
import type { OutgoingEvent, QueuedEvent } from '../../../contracts/src/events.js';
import {
  approvalEvidence,
  decision,
  newApproval,
  noonPlus,
  outgoingEvent,
  settingsPlan,
} from './builders.js';
import type { Runner, Stage } from './harness.js';
import { UNSTORABLE_TEXTS } from './hostile-text.js';

const LONG = 3_600_000;

const ids = (events: readonly OutgoingEvent[]): string[] => events.map((event) => event.id);

/** Evidence that tells external consumers of the step as well. */
const evidence: typeof approvalEvidence = (approval) => ({
  ...approvalEvidence(approval),
  outgoing: [outgoingEvent({ payload: { status: approval.status } })],
});

export function outboxContract({ describe, it }: Runner, stage: Stage): void {
  /** Queues one event for each subject, in this order, and answers their ids. */
  async function queue(...subjects: readonly string[]): Promise<string[]> {
    const events = subjects.map((subject) => outgoingEvent({ subject }));
    for (const event of events) await stage.backend.audit.append(decision({ outgoing: [event] }));
    return events.map((event) => event.id);
  }

  const claim = (limit = 100, leaseMs = LONG): Promise<readonly QueuedEvent[]> =>
    stage.backend.outbox.claim(limit, leaseMs);

  async function claimOne(leaseMs = LONG): Promise<QueuedEvent> {
    const [event] = await claim(1, leaseMs);
    assert.ok(event !== undefined, 'an event is due');
    return event;
  }

  describe('outbox', () => {
    it('has nothing to claim at first', async () => {
      assert.deepEqual(await claim(), []);
    });

    it('hands over an event as it was queued, with its evidence, and no attempt yet', async () => {
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
      const auditId = await stage.backend.audit.append(decision({ outgoing: [event] }));
      const { position, ...queued } = await claimOne();
      assert.ok(Number.isSafeInteger(position) && position > 0);
      assert.deepEqual(queued, { ...event, auditId, attempts: 0 });
      assert.equal(JSON.stringify(queued.payload), JSON.stringify(event.payload));
    });

    it('queues every event of a decision, in its order', async () => {
      const outgoing = [outgoingEvent(), outgoingEvent(), outgoingEvent()];
      const auditId = await stage.backend.audit.append(decision({ outgoing }));
      const claimed = await claim();
      assert.deepEqual(ids(claimed), ids(outgoing));
      assert.ok(claimed.every((event) => event.auditId === auditId));
    });

    it('queues the events of settings, which have no evidence', async () => {
      const event = outgoingEvent({ name: 'guardrails.settings.changed' });
      await stage.backend.settings.apply(() =>
        settingsPlan({ overrides: { 'modes.hitl': 'off' }, outgoing: [event] }),
      );
      const queued = await claimOne();
      assert.deepEqual([queued.id, queued.auditId], [event.id, null]);
    });

    it('queues nothing for a plan of settings that throws or comes to nothing', async () => {
      const { settings } = stage.backend;
      await settings.apply(() => null);
      const failing = settings.apply(() => {
        throw new Error('not like this');
      });
      await assert.rejects(failing);
      assert.deepEqual(await claim(), []);
    });

    it('queues the events of parking, deciding and finishing with the evidence of the step', async () => {
      const { approvals, audit } = stage.backend;
      const call = newApproval();
      const parked = await approvals.park(call, evidence, 20);
      const id = parked?.approval.id ?? 0;
      const actor = { id: 'ops-1' };
      await approvals.decide(call.tokenHash, { verdict: 'approved', actor, reason: null, evidence });
      await approvals.claim(id);
      await approvals.finish(id, 'executed', { result: null, error: null }, evidence);
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

    it('hands over the oldest first, and no more than asked', async () => {
      const queued = await queue('a', 'b', 'c');
      const [first, rest] = [await claim(2), await claim(2)];
      assert.deepEqual([ids(first), ids(rest)], [queued.slice(0, 2), queued.slice(2)]);
      const positions = [...first, ...rest].map((event) => event.position);
      assert.deepEqual(
        positions,
        positions.toSorted((a, b) => a - b),
      );
    });

    it('does not hand over again what is leased', async () => {
      await queue('a');
      await claim();
      assert.deepEqual(await claim(), []);
    });

    it('hands over again what a lease has run out on', async () => {
      const queued = await queue('a');
      await claim(1, 0);
      assert.deepEqual(ids(await claim()), queued);
    });

    it('gives each event to one of many that claim at once', async () => {
      const queued = await queue(...Array.from({ length: 30 }, (_, index) => `subject-${index}`));
      const claimed = (await stage.together(12, ({ outbox }) => outbox.claim(5, LONG))).flat();
      const taken = ids([...claimed, ...(await claim())]);
      assert.deepEqual(taken.toSorted(), queued.toSorted());
    });

    it('never gives two events of a subject to many that claim at once', async () => {
      const queued = await queue('a', 'a', 'a', 'a', 'a');
      const claimed = (await stage.together(8, ({ outbox }) => outbox.claim(5, LONG))).flat();
      assert.deepEqual(ids(claimed), queued.slice(0, 1));
    });

    it('hands over of each subject only the earliest that is undelivered', async () => {
      const [a1, , b1] = await queue('a', 'a', 'b');
      assert.deepEqual(ids(await claim()), [a1, b1]);
      assert.deepEqual(await claim(), []);
    });

    it('goes on with a subject once its earliest is delivered', async () => {
      const queued = await queue('a', 'a', 'a');
      for (const id of queued) {
        const event = await claimOne();
        assert.equal(event.id, id);
        await stage.backend.outbox.delivered(event.position);
      }
      assert.deepEqual(await claim(), []);
    });

    it('forgets what was delivered, also when its lease has run out', async () => {
      await queue('a');
      const event = await claimOne(0);
      await stage.backend.outbox.delivered(event.position);
      assert.deepEqual(await claim(), []);
    });

    it('takes word of a delivery twice, and of a position that never was', async () => {
      await queue('a');
      const event = await claimOne();
      await stage.backend.outbox.delivered(event.position);
      await stage.backend.outbox.delivered(event.position);
      await stage.backend.outbox.delivered(event.position + 1000);
      await stage.backend.outbox.retry(event.position, 0, 'too late');
      assert.deepEqual(await claim(), []);
    });

    it('hands over at once what is to be tried again without delay, with the attempts counted', async () => {
      const [id] = await queue('a');
      for (let attempts = 0; attempts < 3; attempts++) {
        const event = await claimOne();
        assert.deepEqual([event.id, event.attempts], [id, attempts]);
        await stage.backend.outbox.retry(event.position, 0, 'refused');
      }
    });

    it('keeps back what is to be tried again later, and everything after it of its subject', async () => {
      const [, , b1] = await queue('a', 'a', 'b');
      const event = await claimOne();
      await stage.backend.outbox.retry(event.position, LONG, 'refused');
      assert.deepEqual(ids(await claim()), [b1]);
    });

    it('looks past held-back subjects for as many due events as asked', async () => {
      const queued = await queue('a', 'a', 'a', 'b', 'c');
      await claimOne();
      assert.deepEqual(ids(await claim(2)), queued.slice(3));
    });

    for (const { name, given, kept } of UNSTORABLE_TEXTS) {
      it(`scrubs ${name} in an event, and takes it in an error`, async () => {
        const event = outgoingEvent({ id: given, subject: given, payload: { [given]: [given] } });
        await stage.backend.audit.append(decision({ outgoing: [event] }));
        const queued = await claimOne();
        assert.deepEqual([queued.id, queued.subject, queued.payload], [kept, kept, { [kept]: [kept] }]);
        await stage.backend.outbox.retry(queued.position, 0, given);
        assert.equal((await claimOne()).attempts, 1);
      });
    }
  });
}
