import assert from 'node:assert/strict';
import type { Runner, Stage } from './harness.js';
import { claim, claimOne, idsOf, LONG, queue } from './outbox-acts.js';

export function outboxClaimContract({ describe, it }: Runner, stage: Stage): void {
  describe('claim, delivered and retry', () => {
    it('hands over the oldest first, and no more than asked', async () => {
      const queued = await queue(stage, 'a', 'b', 'c');
      const [first, rest] = [await claim(stage, 2), await claim(stage, 2)];
      assert.deepEqual([idsOf(first), idsOf(rest)], [queued.slice(0, 2), queued.slice(2)]);
      const positions = [...first, ...rest].map((event) => event.position);
      assert.deepEqual(
        positions,
        positions.toSorted((a, b) => a - b),
      );
    });

    it('has an event due at once: the very next claim takes it, every time', async () => {
      for (let round = 0; round < 20; round++) {
        const [id] = await queue(stage, 'a');
        const event = await claimOne(stage);
        assert.equal(event.id, id);
        await stage.backend.outbox.delivered(event.position);
      }
    });

    it('does not hand over again what is leased', async () => {
      await queue(stage, 'a');
      await claim(stage);
      assert.deepEqual(await claim(stage), []);
    });

    it('hands over again what a lease has run out on', async () => {
      const queued = await queue(stage, 'a');
      await claim(stage, 1, 0);
      assert.deepEqual(idsOf(await claim(stage)), queued);
    });

    it('gives each event to one of many that claim at once', async () => {
      const queued = await queue(stage, ...Array.from({ length: 30 }, (_, index) => `subject-${index}`));
      const claimed = (await stage.together(12, ({ outbox }) => outbox.claim(5, LONG))).flat();
      const taken = idsOf([...claimed, ...(await claim(stage))]);
      assert.deepEqual(taken.toSorted(), queued.toSorted());
    });

    it('never gives two events of a subject to many that claim at once', async () => {
      const queued = await queue(stage, 'a', 'a', 'a', 'a', 'a');
      const claimed = (await stage.together(8, ({ outbox }) => outbox.claim(5, LONG))).flat();
      assert.deepEqual(idsOf(claimed), queued.slice(0, 1));
    });

    it('hands over of each subject only the earliest that is undelivered', async () => {
      const [a1, , b1] = await queue(stage, 'a', 'a', 'b');
      assert.deepEqual(idsOf(await claim(stage)), [a1, b1]);
      assert.deepEqual(await claim(stage), []);
    });

    it('goes on with a subject once its earliest is delivered', async () => {
      const queued = await queue(stage, 'a', 'a', 'a');
      for (const id of queued) {
        const event = await claimOne(stage);
        assert.equal(event.id, id);
        await stage.backend.outbox.delivered(event.position);
      }
      assert.deepEqual(await claim(stage), []);
    });

    it('forgets what was delivered, also when its lease has run out', async () => {
      await queue(stage, 'a');
      const event = await claimOne(stage, 0);
      await stage.backend.outbox.delivered(event.position);
      assert.deepEqual(await claim(stage), []);
    });

    it('takes word of a delivery twice, and of a position that never was', async () => {
      await queue(stage, 'a');
      const event = await claimOne(stage);
      await stage.backend.outbox.delivered(event.position);
      await stage.backend.outbox.delivered(event.position);
      await stage.backend.outbox.delivered(event.position + 1000);
      await stage.backend.outbox.retry(event.position, 0, 'too late');
      assert.deepEqual(await claim(stage), []);
    });

    it('hands over at once what is to be tried again without delay, with the attempts counted', async () => {
      const [id] = await queue(stage, 'a');
      for (let attempts = 0; attempts < 3; attempts++) {
        const event = await claimOne(stage);
        assert.deepEqual([event.id, event.attempts], [id, attempts]);
        await stage.backend.outbox.retry(event.position, 0, 'refused');
      }
    });

    it('keeps back what is to be tried again later, and everything after it of its subject', async () => {
      const [, , b1] = await queue(stage, 'a', 'a', 'b');
      const event = await claimOne(stage);
      await stage.backend.outbox.retry(event.position, LONG, 'refused');
      assert.deepEqual(idsOf(await claim(stage)), [b1]);
    });

    it('looks past held-back subjects for as many due events as asked', async () => {
      const queued = await queue(stage, 'a', 'a', 'a', 'b', 'c');
      await claimOne(stage);
      assert.deepEqual(idsOf(await claim(stage, 2)), queued.slice(3));
    });
  });
}
