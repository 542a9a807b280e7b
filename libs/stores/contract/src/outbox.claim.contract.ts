import assert from 'node:assert/strict';
import type { Runner, Stage } from './harness.js';
import { claim, claimOne, idsOf, LONG, queue, queueFor, settling, SIEM } from './outbox-acts.js';

export function outboxClaimContract({ describe, it }: Runner, stage: Stage): void {
  describe('claim', () => {
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
        await settling(stage).delivered(event);
      }
    });

    it('does not hand over again what is leased', async () => {
      await queue(stage, 'a');
      await claim(stage);
      assert.deepEqual(await claim(stage), []);
    });

    it('hands over again what a lease has run out on, under another lease', async () => {
      const queued = await queue(stage, 'a');
      const before = await claimOne(stage, 0);
      const after = await claimOne(stage);
      assert.deepEqual([after.id, after.attempts], [queued[0], 0]);
      assert.notEqual(after.lease, before.lease);
    });

    it('gives each event to one of many that claim at once', async () => {
      const queued = await queue(stage, ...Array.from({ length: 30 }, (_, index) => `subject-${index}`));
      const claimed = (await stage.together(12, ({ outbox }) => outbox.claim(SIEM, 5, LONG))).flat();
      const taken = idsOf([...claimed, ...(await claim(stage))]);
      assert.deepEqual(taken.toSorted(), queued.toSorted());
    });

    it('has for each sink what that one selected, and nothing of the others', async () => {
      const [both] = await queueFor(stage, ['chat', SIEM], 'a');
      const [chatOnly] = await queueFor(stage, ['chat'], 'a');
      const [kept] = await queueFor(stage, [], 'a');
      assert.deepEqual(idsOf(await claim(stage)), [both]);
      assert.deepEqual(idsOf(await claim(stage, 10, LONG, 'chat')), [both, chatOnly]);
      assert.deepEqual(await claim(stage, 10, LONG, 'pager'), []);
      assert.ok(kept !== undefined);
    });

    it('lets no sink wait for another: a delivery to one is none to the other', async () => {
      const queued = await queueFor(stage, ['chat', SIEM], 'a', 'a');
      await settling(stage, 'chat').delivered(...(await claim(stage, 10, LONG, 'chat')));
      assert.deepEqual(idsOf(await claim(stage)), queued);
      assert.deepEqual(await claim(stage, 10, LONG, 'chat'), []);
    });
  });
}
