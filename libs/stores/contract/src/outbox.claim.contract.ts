import assert from 'node:assert/strict';
import type { Runner, BackendFixture } from './backend-fixture.js';
import { claim, claimOne, idsOf, LONG, queue, queueFor, settling, SIEM } from './outbox-helpers.js';

/** How often each of many instances comes back for more before the case is given up. */
const ROUNDS = 200;

export function outboxClaimContract({ describe, it }: Runner, fixture: BackendFixture): void {
  describe('claim', () => {
    it('hands over the oldest first, and no more than asked', async () => {
      const queued = await queue(fixture, 'a', 'b', 'c');
      const [first, rest] = [await claim(fixture, 2), await claim(fixture, 2)];
      assert.deepEqual([idsOf(first), idsOf(rest)], [queued.slice(0, 2), queued.slice(2)]);
      const positions = [...first, ...rest].map((event) => event.position);
      assert.deepEqual(
        positions,
        positions.toSorted((a, b) => a - b),
      );
    });

    it('has an event due at once: the very next claim takes it, every time', async () => {
      for (let round = 0; round < 20; round++) {
        const [id] = await queue(fixture, 'a');
        const event = await claimOne(fixture);
        assert.equal(event.id, id);
        await settling(fixture).delivered(event);
      }
    });

    it('does not hand over again what is leased', async () => {
      await queue(fixture, 'a');
      await claim(fixture);
      assert.deepEqual(await claim(fixture), []);
    });

    it('hands over again what a lease has run out on, under another lease', async () => {
      const queued = await queue(fixture, 'a');
      const before = await claimOne(fixture, 0);
      const after = await claimOne(fixture);
      assert.deepEqual([after.id, after.attempts], [queued[0], 0]);
      assert.notEqual(after.lease, before.lease);
    });

    it('gives each event to one of many that claim at once', async () => {
      const queued = await queue(fixture, ...Array.from({ length: 30 }, (_, index) => `subject-${index}`));
      const claimed = (await fixture.concurrently(12, ({ outbox }) => outbox.claim(SIEM, 5, LONG))).flat();
      const taken = idsOf([...claimed, ...(await claim(fixture))]);
      assert.deepEqual(taken.toSorted(), queued.toSorted());
    });

    it('has for each sink what that one selected, and nothing of the others', async () => {
      const [both] = await queueFor(fixture, ['chat', SIEM], 'a');
      const [chatOnly] = await queueFor(fixture, ['chat'], 'a');
      const [kept] = await queueFor(fixture, [], 'a');
      assert.deepEqual(idsOf(await claim(fixture)), [both]);
      assert.deepEqual(idsOf(await claim(fixture, 10, LONG, 'chat')), [both, chatOnly]);
      assert.deepEqual(await claim(fixture, 10, LONG, 'pager'), []);
      assert.ok(kept !== undefined);
    });

    it('lets no sink wait for another: a delivery to one is none to the other', async () => {
      const queued = await queueFor(fixture, ['chat', SIEM], 'a', 'a');
      await settling(fixture, 'chat').delivered(...(await claim(fixture, 10, LONG, 'chat')));
      assert.deepEqual(idsOf(await claim(fixture)), queued);
      assert.deepEqual(await claim(fixture, 10, LONG, 'chat'), []);
    });
  });

  describe('the order of a subject', () => {
    it('is handed over whole to one claim', async () => {
      const queued = await queue(fixture, 'a', 'b', 'a', 'a');
      assert.deepEqual(idsOf(await claim(fixture)), queued);
    });

    it('lets nobody overtake what another claim holds', async () => {
      const [, , , b] = await queue(fixture, 'a', 'a', 'a', 'b');
      await claim(fixture, 1);
      assert.deepEqual(idsOf(await claim(fixture)), [b]);
      assert.deepEqual(await claim(fixture), []);
    });

    it('goes on once what was held is delivered', async () => {
      const queued = await queue(fixture, 'a', 'a', 'a');
      const first = await claim(fixture, 1);
      assert.deepEqual(await claim(fixture), []);
      await settling(fixture).delivered(...first);
      assert.deepEqual(idsOf(await claim(fixture)), queued.slice(1));
    });

    it('goes on at once with what was queued while its forerunners were held', async () => {
      await queue(fixture, 'a', 'a');
      const held = await claim(fixture);
      const [late] = await queue(fixture, 'a');
      assert.deepEqual(await claim(fixture), []);
      for (const event of held) await settling(fixture).delivered(event);
      assert.deepEqual(idsOf(await claim(fixture)), [late]);
    });

    it('waits behind what is to be tried again later, and lets other subjects pass', async () => {
      const [, , b1] = await queue(fixture, 'a', 'a', 'b');
      const event = await claimOne(fixture);
      await settling(fixture).retry(event, LONG);
      assert.deepEqual(idsOf(await claim(fixture)), [b1]);
      assert.deepEqual(await claim(fixture), []);
    });

    it('begins again with what is to be tried again', async () => {
      const queued = await queue(fixture, 'a', 'a');
      const [first, second] = await claim(fixture);
      assert.ok(first !== undefined && second !== undefined);
      await settling(fixture).retry(first, 0);
      await settling(fixture).release(second);
      const again = await claim(fixture);
      assert.deepEqual(idsOf(again), queued);
      assert.deepEqual(
        again.map(({ attempts }) => attempts),
        [1, 0],
      );
    });

    it('goes on behind a dead letter', async () => {
      const queued = await queue(fixture, 'a', 'a', 'a');
      const first = await claimOne(fixture);
      assert.deepEqual(await claim(fixture), []);
      await settling(fixture).bury(first);
      assert.deepEqual(idsOf(await claim(fixture)), queued.slice(1));
    });

    it('looks past held-back subjects for as many due events as asked', async () => {
      const queued = await queue(fixture, 'a', 'a', 'a', 'b', 'c');
      await claim(fixture, 1);
      const found = [
        ...(await claim(fixture, 2)),
        ...(await claim(fixture, 2)),
        ...(await claim(fixture, 2)),
      ];
      assert.deepEqual(idsOf(found), queued.slice(3));
    });

    it('holds when many claim, fail and deliver at once', async () => {
      const subjects = ['a', 'b', 'c'];
      const queued = await queue(fixture, ...Array.from({ length: 30 }, (_, at) => subjects[at % 3] ?? 'a'));
      const arrived: string[] = [];
      await fixture.concurrently(6, async ({ outbox }, worker) => {
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
