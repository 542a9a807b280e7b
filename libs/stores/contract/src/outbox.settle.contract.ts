import assert from 'node:assert/strict';
import type { Runner, BackendFixture } from './backend-fixture.js';
import { claim, claimOne, idsOf, LONG, queue, queueFor, settling, SIEM } from './outbox-helpers.js';
import { decision, noonPlus, outgoingEvent } from './builders.js';

async function backlogOf(fixture: BackendFixture, sink: string) {
  const backlog = await fixture.backend.outbox.backlog();
  return backlog.find((left) => left.sink === sink);
}

/** One event per second, starting at noon. */
async function eachSecond(
  fixture: BackendFixture,
  count: number,
  sinks: readonly string[],
): Promise<string[]> {
  const events = Array.from({ length: count }, (_, at) =>
    outgoingEvent({ occurredAt: noonPlus(at * 1000), sinks }),
  );
  for (const event of events) await fixture.backend.audit.append(decision({ outgoing: [event] }));
  return idsOf(events);
}

export function outboxSettleContract({ describe, it }: Runner, fixture: BackendFixture): void {
  describe('a claimed event', () => {
    it('is removed on delivery, even after its lease expired', async () => {
      await queue(fixture, 'a');
      await settling(fixture).delivered(await claimOne(fixture, 0));
      assert.deepEqual(await claim(fixture), []);
    });

    it('can be marked as delivered twice, and an empty list is accepted', async () => {
      await queue(fixture, 'a');
      const event = await claimOne(fixture);
      const { delivered, retry } = settling(fixture);
      await delivered(event);
      await delivered(event);
      await delivered({ ...event, position: event.position + 1000 });
      await delivered();
      await retry(event, 0, 'too late');
      assert.deepEqual(await claim(fixture), []);
    });

    it('is due immediately after a retry without delay, and the attempt is counted', async () => {
      const [id] = await queue(fixture, 'a');
      for (let attempts = 0; attempts < 3; attempts++) {
        const event = await claimOne(fixture);
        assert.deepEqual([event.id, event.attempts], [id, attempts]);
        await settling(fixture).retry(event, 0);
      }
    });

    it('is due immediately after release, and no attempt is counted', async () => {
      const queued = await queue(fixture, 'a', 'b');
      await settling(fixture).release(...(await claim(fixture)));
      const again = await claim(fixture);
      assert.deepEqual(idsOf(again), queued);
      assert.ok(again.every(({ attempts }) => attempts === 0));
    });

    it('cannot be changed by the holder of an expired lease', async () => {
      await queue(fixture, 'a');
      const late = await claimOne(fixture, 0);
      await claimOne(fixture);
      const { retry, release, markDead } = settling(fixture);
      await retry(late, 0);
      await release(late);
      await markDead(late);
      assert.deepEqual(await claim(fixture), []);
      assert.deepEqual(await fixture.backend.outbox.backlog(), [
        { ...(await backlogOf(fixture, SIEM)), waiting: 1, dead: 0 },
      ]);
    });

    it('makes events due that wait for a retry, but not leased or dead ones', async () => {
      const queued = await queue(fixture, 'a', 'a', 'b', 'c');
      const [a1, a2, b, c] = await claim(fixture);
      assert.ok(a1 !== undefined && a2 !== undefined && b !== undefined && c !== undefined);
      await settling(fixture).retry(a1, LONG);
      await settling(fixture).release(a2);
      await settling(fixture).markDead(b);
      assert.deepEqual(await claim(fixture), []);
      await fixture.backend.outbox.retryNow(SIEM);
      const again = [...(await claim(fixture, 1)), ...(await claim(fixture, 10))];
      assert.deepEqual(idsOf(again), queued.slice(0, 1));
      await settling(fixture).delivered(...again);
      assert.deepEqual(idsOf(await claim(fixture)), queued.slice(1, 2));
    });

    it('events made due are returned before later events of their subject', async () => {
      const [id] = await queue(fixture, ...Array.from({ length: 8 }, () => 'a'));
      const first = await claimOne(fixture);
      await settling(fixture).retry(first, LONG);
      await fixture.backend.outbox.retryNow(SIEM, 1);
      assert.equal((await claimOne(fixture)).id, id);
    });

    it('events are made due in the order of their due times, up to the limit', async () => {
      const queued = await queue(fixture, 'a', 'b', 'c');
      const [a, b] = await claim(fixture);
      assert.ok(a !== undefined && b !== undefined);
      await settling(fixture).retry(a, 2 * LONG);
      await settling(fixture).retry(b, LONG);
      await fixture.backend.outbox.retryNow(SIEM, 1);
      assert.deepEqual(idsOf(await claim(fixture)), queued.slice(1, 2));
    });

    it('becomes a dead letter if it waited too long; leased and newer events do not', async () => {
      const { outbox } = fixture.backend;
      const queued = await queue(fixture, 'a', 'a', 'b', 'c');
      const c = (await claim(fixture)).find(({ subject }) => subject === 'c');
      assert.ok(c !== undefined);
      assert.equal(await outbox.markOldDead(SIEM, 0, 100, 'gone'), 0);
      await settling(fixture).delivered(c);
      const later = await queue(fixture, 'd', 'd', 'e');
      const held = await claim(fixture, 1);
      assert.equal(await outbox.markOldDead(SIEM, LONG, 100, 'gone'), 0);
      assert.equal(await outbox.markOldDead(SIEM, 0, 1, 'gone'), 1);
      assert.equal(await outbox.markOldDead(SIEM, 0, 100, 'gone'), 1);
      const [left] = await outbox.backlog();
      assert.deepEqual([left?.waiting, left?.dead], [4, 2]);
      assert.deepEqual([idsOf(held), later.length], [[later[0]], 3]);
      assert.ok(queued.length > 0);
    });

    it('is claimed again as a dead letter only after it was retried, with 0 attempts', async () => {
      const queued = await queue(fixture, 'a', 'b', 'c');
      for (const event of await claim(fixture)) await settling(fixture).markDead(event);
      assert.deepEqual(await claim(fixture), []);
      assert.equal(await fixture.backend.outbox.retryDead(SIEM, 2), 2);
      const again = await claim(fixture);
      assert.deepEqual(idsOf(again), queued.slice(0, 2));
      assert.ok(again.every(({ attempts }) => attempts === 0));
      assert.equal(await fixture.backend.outbox.retryDead(SIEM, 100), 1);
      assert.equal(await fixture.backend.outbox.retryDead(SIEM, 100), 0);
      assert.equal(await fixture.backend.outbox.retryDead('chat', 100), 0);
    });

    it('is counted in the backlog of its sink as waiting, retrying or dead', async () => {
      const { outbox } = fixture.backend;
      assert.deepEqual(await outbox.backlog(), []);
      await queueFor(fixture, ['chat', SIEM], 'a', 'b', 'c');
      const [first, second] = await claim(fixture);
      assert.ok(first !== undefined && second !== undefined);
      await settling(fixture).markDead(first);
      await settling(fixture).retry(second, LONG);
      await settling(fixture, 'chat').delivered(...(await claim(fixture, 10, LONG, 'chat')));
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

    it('can be queued again after delivery or as a dead letter, but not while it waits', async () => {
      const { outbox } = fixture.backend;
      const queued = await queue(fixture, 'a', 'b', 'c', 'd');
      const [a, b, c] = await claim(fixture, 3);
      assert.ok(a !== undefined && b !== undefined && c !== undefined);
      await settling(fixture).delivered(a);
      await settling(fixture).markDead(b);
      assert.equal(await outbox.requeue(SIEM, [a.position, b.position, c.position, a.position + 1000]), 3);
      assert.deepEqual(idsOf(await claim(fixture)), [queued[0], queued[1], queued[3]]);
    });

    it('can be queued for a sink that did not select it', async () => {
      const [id] = await queueFor(fixture, [], 'a');
      const [kept] = await fixture.backend.outbox.after(0, 10);
      assert.equal(await fixture.backend.outbox.requeue('pager', [kept?.position ?? 0]), 1);
      assert.deepEqual(idsOf(await claim(fixture, 10, LONG, 'pager')), [id]);
    });
  });

  describe('prune', () => {
    const prune = (before: Date, limit = 100, sinks: readonly string[] = [SIEM]): Promise<number> =>
      fixture.backend.outbox.prune(before, limit, sinks);
    const left = async (): Promise<string[]> => idsOf(await fixture.backend.outbox.after(0, 100));

    it('deletes events before the given time and keeps the rest', async () => {
      const ids = await eachSecond(fixture, 4, []);
      assert.equal(await prune(noonPlus(2000)), 2);
      assert.deepEqual(await left(), ids.slice(2));
      assert.equal(await prune(noonPlus(2000)), 0);
    });

    it('deletes up to the limit, oldest first', async () => {
      const ids = await eachSecond(fixture, 4, []);
      assert.equal(await prune(noonPlus(LONG), 3), 3);
      assert.deepEqual(await left(), ids.slice(3));
    });

    it('deletes events that were never read', async () => {
      await eachSecond(fixture, 2, []);
      assert.equal(await prune(noonPlus(LONG)), 2);
      assert.deepEqual(await left(), []);
    });

    it('keeps an event that waits for a sink and deletes it after delivery', async () => {
      const ids = await eachSecond(fixture, 2, [SIEM]);
      assert.equal(await prune(noonPlus(LONG)), 0);
      const [first] = await claim(fixture);
      assert.ok(first !== undefined);
      await settling(fixture).delivered(first);
      assert.equal(await prune(noonPlus(LONG)), 1);
      assert.deepEqual(await left(), ids.slice(1));
    });

    it('deletes dead letters and events that wait only for a removed sink', async () => {
      const { outbox } = fixture.backend;
      await eachSecond(fixture, 2, ['chat', SIEM]);
      for (const event of await claim(fixture)) await settling(fixture).markDead(event);
      assert.equal(await prune(noonPlus(LONG), 100, [SIEM, 'chat']), 0);
      assert.equal(await prune(noonPlus(LONG)), 2);
      assert.deepEqual([await left(), await outbox.backlog()], [[], []]);
      assert.deepEqual(await claim(fixture, 100, LONG, 'chat'), []);
    });
  });
}
