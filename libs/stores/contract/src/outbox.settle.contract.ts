import assert from 'node:assert/strict';
import type { Runner, Stage } from './harness.js';
import { claim, claimOne, idsOf, LONG, queue, queueFor, settling, SIEM } from './outbox-acts.js';

export function outboxSettleContract({ describe, it }: Runner, stage: Stage): void {
  describe('what becomes of a claim', () => {
    it('forgets what was delivered, also when its lease has run out', async () => {
      await queue(stage, 'a');
      await settling(stage).delivered(await claimOne(stage, 0));
      assert.deepEqual(await claim(stage), []);
    });

    it('takes word of a delivery twice, and of none at all', async () => {
      await queue(stage, 'a');
      const event = await claimOne(stage);
      const { delivered, retry } = settling(stage);
      await delivered(event);
      await delivered(event);
      await delivered({ ...event, position: event.position + 1000 });
      await delivered();
      await retry(event, 0, 'too late');
      assert.deepEqual(await claim(stage), []);
    });

    it('hands over at once what is to be tried again without delay, with the attempts counted', async () => {
      const [id] = await queue(stage, 'a');
      for (let attempts = 0; attempts < 3; attempts++) {
        const event = await claimOne(stage);
        assert.deepEqual([event.id, event.attempts], [id, attempts]);
        await settling(stage).retry(event, 0);
      }
    });

    it('hands over at once what was released, with no attempt counted', async () => {
      const queued = await queue(stage, 'a', 'b');
      await settling(stage).release(...(await claim(stage)));
      const again = await claim(stage);
      assert.deepEqual(idsOf(again), queued);
      assert.ok(again.every(({ attempts }) => attempts === 0));
    });

    it('lets no one whose lease has run out take anything from its successor', async () => {
      await queue(stage, 'a');
      const late = await claimOne(stage, 0);
      await claimOne(stage);
      const { retry, release, bury } = settling(stage);
      await retry(late, 0);
      await release(late);
      await bury(late);
      assert.deepEqual(await claim(stage), []);
      assert.deepEqual(await stage.backend.outbox.backlog(), [
        { ...(await backlogOf(stage, SIEM)), waiting: 1, dead: 0 },
      ]);
    });

    it('hastens what waits for another try, and nothing that is leased or dead', async () => {
      const queued = await queue(stage, 'a', 'a', 'b', 'c');
      const [a1, a2, b, c] = await claim(stage);
      assert.ok(a1 !== undefined && a2 !== undefined && b !== undefined && c !== undefined);
      await settling(stage).retry(a1, LONG);
      await settling(stage).release(a2);
      await settling(stage).bury(b);
      assert.deepEqual(await claim(stage), []);
      await stage.backend.outbox.hasten(SIEM);
      const again = [...(await claim(stage, 1)), ...(await claim(stage, 10))];
      assert.deepEqual(idsOf(again), queued.slice(0, 1));
      await settling(stage).delivered(...again);
      assert.deepEqual(idsOf(await claim(stage)), queued.slice(1, 2));
    });

    it('hastens the first of a subject so that it comes before all that wait behind it', async () => {
      const [id] = await queue(stage, ...Array.from({ length: 8 }, () => 'a'));
      const first = await claimOne(stage);
      await settling(stage).retry(first, LONG);
      await stage.backend.outbox.hasten(SIEM, 1);
      assert.equal((await claimOne(stage)).id, id);
    });

    it('hastens no more than asked: what is due first', async () => {
      const queued = await queue(stage, 'a', 'b', 'c');
      const [a, b] = await claim(stage);
      assert.ok(a !== undefined && b !== undefined);
      await settling(stage).retry(a, 2 * LONG);
      await settling(stage).retry(b, LONG);
      await stage.backend.outbox.hasten(SIEM, 1);
      assert.deepEqual(idsOf(await claim(stage)), queued.slice(1, 2));
    });

    it('buries what has waited for so long, tried or not, but nothing that is leased or newer', async () => {
      const { outbox } = stage.backend;
      const queued = await queue(stage, 'a', 'a', 'b', 'c');
      const c = (await claim(stage)).find(({ subject }) => subject === 'c');
      assert.ok(c !== undefined);
      assert.equal(await outbox.buryOld(SIEM, 0, 100, 'gone'), 0);
      await settling(stage).delivered(c);
      const later = await queue(stage, 'd', 'd', 'e');
      const held = await claim(stage, 1);
      assert.equal(await outbox.buryOld(SIEM, LONG, 100, 'gone'), 0);
      assert.equal(await outbox.buryOld(SIEM, 0, 1, 'gone'), 1);
      assert.equal(await outbox.buryOld(SIEM, 0, 100, 'gone'), 1);
      const [left] = await outbox.backlog();
      assert.deepEqual([left?.waiting, left?.dead], [4, 2]);
      assert.deepEqual([idsOf(held), later.length], [[later[0]], 3]);
      assert.ok(queued.length > 0);
    });

    it('tries no dead letter again until it is revived, and then as if for the first time', async () => {
      const queued = await queue(stage, 'a', 'b', 'c');
      for (const event of await claim(stage)) await settling(stage).bury(event);
      assert.deepEqual(await claim(stage), []);
      assert.equal(await stage.backend.outbox.revive(SIEM, 2), 2);
      const again = await claim(stage);
      assert.deepEqual(idsOf(again), queued.slice(0, 2));
      assert.ok(again.every(({ attempts }) => attempts === 0));
      assert.equal(await stage.backend.outbox.revive(SIEM, 100), 1);
      assert.equal(await stage.backend.outbox.revive(SIEM, 100), 0);
      assert.equal(await stage.backend.outbox.revive('chat', 100), 0);
    });

    it('tells for each sink what waits, since when, and what is dead', async () => {
      const { outbox } = stage.backend;
      assert.deepEqual(await outbox.backlog(), []);
      await queueFor(stage, ['chat', SIEM], 'a', 'b', 'c');
      const [first, second] = await claim(stage);
      assert.ok(first !== undefined && second !== undefined);
      await settling(stage).bury(first);
      await settling(stage).retry(second, LONG);
      await settling(stage, 'chat').delivered(...(await claim(stage, 10, LONG, 'chat')));
      assert.deepEqual(await outbox.backlog(), [
        {
          sink: SIEM,
          waiting: 2,
          retrying: 1,
          dead: 1,
          waitingSince: second.occurredAt,
          error: 'refused',
        },
      ]);
    });

    it('queues again what was delivered or is dead, and leaves what waits', async () => {
      const { outbox } = stage.backend;
      const queued = await queue(stage, 'a', 'b', 'c', 'd');
      const [a, b, c] = await claim(stage, 3);
      assert.ok(a !== undefined && b !== undefined && c !== undefined);
      await settling(stage).delivered(a);
      await settling(stage).bury(b);
      assert.equal(await outbox.requeue(SIEM, [a.position, b.position, c.position, a.position + 1000]), 3);
      assert.deepEqual(idsOf(await claim(stage)), [queued[0], queued[1], queued[3]]);
    });

    it('queues again also for a sink that had not selected it', async () => {
      const [id] = await queueFor(stage, [], 'a');
      const [kept] = await stage.backend.outbox.after(0, 10);
      assert.equal(await stage.backend.outbox.requeue('pager', [kept?.position ?? 0]), 1);
      assert.deepEqual(idsOf(await claim(stage, 10, LONG, 'pager')), [id]);
    });
  });
}

async function backlogOf(stage: Stage, sink: string) {
  const backlog = await stage.backend.outbox.backlog();
  return backlog.find((left) => left.sink === sink);
}
