import assert from 'node:assert/strict';
import type { Runner, Stage } from './harness.js';
import { claim, claimOne, idsOf, LONG, queue, settling, SIEM } from './outbox-acts.js';

/** How often each of many instances comes back for more before the case is given up. */
const ROUNDS = 200;

export function outboxOrderContract({ describe, it }: Runner, stage: Stage): void {
  describe('the order of a subject', () => {
    it('is handed over whole to one claim', async () => {
      const queued = await queue(stage, 'a', 'b', 'a', 'a');
      assert.deepEqual(idsOf(await claim(stage)), queued);
    });

    it('lets nobody overtake what another claim holds', async () => {
      const [, , , b] = await queue(stage, 'a', 'a', 'a', 'b');
      await claim(stage, 1);
      assert.deepEqual(idsOf(await claim(stage)), [b]);
      assert.deepEqual(await claim(stage), []);
    });

    it('goes on once what was held is delivered', async () => {
      const queued = await queue(stage, 'a', 'a', 'a');
      const first = await claim(stage, 1);
      assert.deepEqual(await claim(stage), []);
      await settling(stage).delivered(...first);
      assert.deepEqual(idsOf(await claim(stage)), queued.slice(1));
    });

    it('goes on at once with what was queued while its forerunners were held', async () => {
      await queue(stage, 'a', 'a');
      const held = await claim(stage);
      const [late] = await queue(stage, 'a');
      assert.deepEqual(await claim(stage), []);
      for (const event of held) await settling(stage).delivered(event);
      assert.deepEqual(idsOf(await claim(stage)), [late]);
    });

    it('waits behind what is to be tried again later, and lets other subjects pass', async () => {
      const [, , b1] = await queue(stage, 'a', 'a', 'b');
      const event = await claimOne(stage);
      await settling(stage).retry(event, LONG);
      assert.deepEqual(idsOf(await claim(stage)), [b1]);
      assert.deepEqual(await claim(stage), []);
    });

    it('begins again with what is to be tried again', async () => {
      const queued = await queue(stage, 'a', 'a');
      const [first, second] = await claim(stage);
      assert.ok(first !== undefined && second !== undefined);
      await settling(stage).retry(first, 0);
      await settling(stage).release(second);
      const again = await claim(stage);
      assert.deepEqual(idsOf(again), queued);
      assert.deepEqual(
        again.map(({ attempts }) => attempts),
        [1, 0],
      );
    });

    it('goes on behind a dead letter', async () => {
      const queued = await queue(stage, 'a', 'a', 'a');
      const first = await claimOne(stage);
      assert.deepEqual(await claim(stage), []);
      await settling(stage).bury(first);
      assert.deepEqual(idsOf(await claim(stage)), queued.slice(1));
    });

    it('looks past held-back subjects for as many due events as asked', async () => {
      const queued = await queue(stage, 'a', 'a', 'a', 'b', 'c');
      await claim(stage, 1);
      const found = [...(await claim(stage, 2)), ...(await claim(stage, 2)), ...(await claim(stage, 2))];
      assert.deepEqual(idsOf(found), queued.slice(3));
    });

    it('holds when many claim, fail and deliver at once', async () => {
      const subjects = ['a', 'b', 'c'];
      const queued = await queue(stage, ...Array.from({ length: 30 }, (_, at) => subjects[at % 3] ?? 'a'));
      const arrived: string[] = [];
      await stage.together(6, async ({ outbox }, worker) => {
        for (let round = 0; round < ROUNDS && arrived.length < queued.length; round++) {
          const [first, ...rest] = await outbox.claim(SIEM, 1 + (worker % 4), LONG);
          if (first === undefined) continue;
          if ((round + worker) % 3 === 0) {
            await outbox.retry(SIEM, first, 0, 'refused');
            await outbox.release(SIEM, rest);
            continue;
          }
          for (const event of [first, ...rest]) {
            arrived.push(event.id);
            await outbox.delivered(SIEM, [event]);
          }
        }
      });
      const places = (from: readonly string[], at: number): string[] =>
        from.filter((id) => queued.indexOf(id) % 3 === at);
      for (const at of [0, 1, 2]) assert.deepEqual(places(arrived, at), places(queued, at));
    });
  });
}
