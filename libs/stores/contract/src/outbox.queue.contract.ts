import assert from 'node:assert/strict';
import { claiming } from './approval-acts.js';
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
import { claim, claimOne, idsOf, settling } from './outbox-acts.js';

/** Evidence that tells external consumers of the step as well. */
const evidence: typeof approvalEvidence = (approval) => ({
  ...approvalEvidence(approval),
  outgoing: [outgoingEvent({ payload: { status: approval.status } })],
});

export function outboxQueueContract({ describe, it }: Runner, stage: Stage): void {
  describe('what is queued', () => {
    it('has nothing to claim at first', async () => {
      assert.deepEqual(await claim(stage), []);
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
      const { position, lease, queuedAt, ...queued } = await claimOne(stage);
      assert.ok(Number.isSafeInteger(position) && position > 0 && lease !== '' && queuedAt instanceof Date);
      const { sinks: _selected, ...told } = event;
      assert.deepEqual(queued, { ...told, auditId, attempts: 0 });
      assert.equal(JSON.stringify(queued.payload), JSON.stringify(event.payload));
    });

    it('queues every event of a decision, in its order', async () => {
      const outgoing = [outgoingEvent(), outgoingEvent(), outgoingEvent()];
      const auditId = await stage.backend.audit.append(decision({ outgoing }));
      const claimed = await claim(stage);
      assert.deepEqual(idsOf(claimed), idsOf(outgoing));
      assert.ok(claimed.every((event) => event.auditId === auditId));
    });

    it('queues the events of settings, which have no evidence', async () => {
      const event = outgoingEvent({ name: 'guardrails.settings.changed' });
      await stage.backend.settings.apply(() =>
        settingsPlan({ overrides: { 'modes.hitl': 'off' }, outgoing: [event] }),
      );
      const queued = await claimOne(stage);
      assert.deepEqual([queued.id, queued.auditId], [event.id, null]);
    });

    it('queues events that belong to no transaction, in their order', async () => {
      const events = [outgoingEvent({ subject: 'a' }), outgoingEvent({ subject: 'a' })];
      await stage.backend.outbox.add([]);
      await stage.backend.outbox.add(events);
      const queued = await claim(stage);
      assert.deepEqual(idsOf(queued), idsOf(events));
      assert.ok(queued.every(({ auditId }) => auditId === null));
    });

    it('queues nothing for a plan of settings that throws or comes to nothing', async () => {
      const { settings } = stage.backend;
      await settings.apply(() => null);
      const failing = settings.apply(() => {
        throw new Error('not like this');
      });
      await assert.rejects(failing);
      assert.deepEqual(await claim(stage), []);
    });

    it('queues the events of parking, deciding and finishing with the evidence of the step', async () => {
      const { approvals, audit } = stage.backend;
      const call = newApproval();
      const parked = await approvals.park(call, evidence, 20);
      const id = parked?.approval.id ?? 0;
      const actorId = 'ops-1';
      await approvals.decide(call.tokenHash, {
        verdict: 'approved',
        actorId,
        reason: null,
        decisionMac: '',
        evidence,
      });
      await approvals.claim(id, claiming());
      await approvals.finish(id, 1, 'executed', { result: null, error: null }, evidence);
      const claimed = await claim(stage);
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
      it(`scrubs ${name} in an event, and takes it in an error`, async () => {
        const event = outgoingEvent({ id: given, subject: given, payload: { [given]: [given] } });
        await stage.backend.audit.append(decision({ outgoing: [event] }));
        const queued = await claimOne(stage);
        assert.deepEqual([queued.id, queued.subject, queued.payload], [kept, kept, { [kept]: [kept] }]);
        await settling(stage).retry(queued, 0, given);
        assert.equal((await claimOne(stage)).attempts, 1);
      });
    }
  });
}
