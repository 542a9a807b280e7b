import assert from 'node:assert/strict';
import type { Runner, BackendFixture } from './backend-fixture.js';
import { claim, claimOne, idsOf, LONG, queue, queueFor, settling, SIEM } from './outbox-helpers.js';

/** Claims per instance before the test case stops waiting for the rest. */
const ROUNDS = 200;

export function outboxClaimContract({ describe, it }: Runner, fixture: BackendFixture): void {
  describe('claim', () => {
    it('returns the oldest events first, up to the limit', async () => {
      const queued = await queue(fixture, 'a', 'b', 'c');
      const [first, rest] = [await claim(fixture, 2), await claim(fixture, 2)];
      assert.deepEqual([idsOf(first), idsOf(rest)], [queued.slice(0, 2), queued.slice(2)]);
      const positions = [...first, ...rest].map((event) => event.position);
      assert.deepEqual(
        positions,
        positions.toSorted((a, b) => a - b),
      );
    });

    it('returns an event immediately after it was queued', async () => {
      for (let round = 0; round < 20; round++) {
        const [id] = await queue(fixture, 'a');
        const event = await claimOne(fixture);
        assert.equal(event.id, id);
        await settling(fixture).delivered(event);
      }
    });

    it('does not return a leased event', async () => {
      await queue(fixture, 'a');
      await claim(fixture);
      assert.deepEqual(await claim(fixture), []);
    });

    it('returns an event again after its lease expired, with a new lease', async () => {
      const queued = await queue(fixture, 'a');
      const before = await claimOne(fixture, 0);
      const after = await claimOne(fixture);
      assert.deepEqual([after.id, after.attempts], [queued[0], 0]);
      assert.notEqual(after.lease, before.lease);
    });

    it('returns each event to exactly one of many concurrent callers', async () => {
      const queued = await queue(fixture, ...Array.from({ length: 30 }, (_, index) => `subject-${index}`));
      const claimed = (await fixture.concurrently(12, ({ outbox }) => outbox.claim(SIEM, 5, LONG))).flat();
      const taken = idsOf([...claimed, ...(await claim(fixture))]);
      assert.deepEqual(taken.toSorted(), queued.toSorted());
    });

    it('returns only the events of the given sink', async () => {
      const [both] = await queueFor(fixture, ['chat', SIEM], 'a');
      const [chatOnly] = await queueFor(fixture, ['chat'], 'a');
      const [kept] = await queueFor(fixture, [], 'a');
      assert.deepEqual(idsOf(await claim(fixture)), [both]);
      assert.deepEqual(idsOf(await claim(fixture, 10, LONG, 'chat')), [both, chatOnly]);
      assert.deepEqual(await claim(fixture, 10, LONG, 'pager'), []);
      assert.ok(kept !== undefined);
    });

    it('keeps the deliveries of two sinks independent', async () => {
      const queued = await queueFor(fixture, ['chat', SIEM], 'a', 'a');
      await settling(fixture, 'chat').delivered(...(await claim(fixture, 10, LONG, 'chat')));
      assert.deepEqual(idsOf(await claim(fixture)), queued);
      assert.deepEqual(await claim(fixture, 10, LONG, 'chat'), []);
    });
  });

  describe('order within a subject', () => {
    it('returns all events of a subject to one claim', async () => {
      const queued = await queue(fixture, 'a', 'b', 'a', 'a');
      assert.deepEqual(idsOf(await claim(fixture)), queued);
    });

    it('does not return events behind a leased event of the same subject', async () => {
      const [, , , b] = await queue(fixture, 'a', 'a', 'a', 'b');
      await claim(fixture, 1);
      assert.deepEqual(idsOf(await claim(fixture)), [b]);
      assert.deepEqual(await claim(fixture), []);
    });

    it('continues after the leased event was delivered', async () => {
      const queued = await queue(fixture, 'a', 'a', 'a');
      const first = await claim(fixture, 1);
      assert.deepEqual(await claim(fixture), []);
      await settling(fixture).delivered(...first);
      assert.deepEqual(idsOf(await claim(fixture)), queued.slice(1));
    });

    it('returns an event that was queued during a lease immediately after the delivery', async () => {
      await queue(fixture, 'a', 'a');
      const held = await claim(fixture);
      const [late] = await queue(fixture, 'a');
      assert.deepEqual(await claim(fixture), []);
      for (const event of held) await settling(fixture).delivered(event);
      assert.deepEqual(idsOf(await claim(fixture)), [late]);
    });

    it('waits for a delayed retry without holding up other subjects', async () => {
      const [, , b1] = await queue(fixture, 'a', 'a', 'b');
      const event = await claimOne(fixture);
      await settling(fixture).retry(event, LONG);
      assert.deepEqual(idsOf(await claim(fixture)), [b1]);
      assert.deepEqual(await claim(fixture), []);
    });

    it('starts with the event that is retried', async () => {
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

    it('continues after a dead letter', async () => {
      const queued = await queue(fixture, 'a', 'a', 'a');
      const first = await claimOne(fixture);
      assert.deepEqual(await claim(fixture), []);
      await settling(fixture).markDead(first);
      assert.deepEqual(idsOf(await claim(fixture)), queued.slice(1));
    });

    it('skips waiting subjects to find as many due events as requested', async () => {
      const queued = await queue(fixture, 'a', 'a', 'a', 'b', 'c');
      await claim(fixture, 1);
      const found = [
        ...(await claim(fixture, 2)),
        ...(await claim(fixture, 2)),
        ...(await claim(fixture, 2)),
      ];
      assert.deepEqual(idsOf(found), queued.slice(3));
    });

    it('is kept while many callers claim, fail and deliver concurrently', async () => {
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
