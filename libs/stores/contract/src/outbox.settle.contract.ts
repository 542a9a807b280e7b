import assert from 'node:assert/strict';
import type { Runner, BackendFixture } from './backend-fixture.js';
import { claim, claimOne, idsOf, LONG, queue, queueFor, settling, SIEM } from './outbox-helpers.js';
import { decision, noonPlus, outgoingEvent } from './builders.js';

async function backlogOf(fixture: BackendFixture, sink: string) {
  const backlog = await fixture.backend.outbox.backlog();
  return backlog.find((left) => left.sink === sink);
}

/** One event a second from noon on. */
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
  describe('what becomes of a claim', () => {
    it('forgets what was delivered, also when its lease has run out', async () => {
      await queue(fixture, 'a');
      await settling(fixture).delivered(await claimOne(fixture, 0));
      assert.deepEqual(await claim(fixture), []);
    });

    it('takes word of a delivery twice, and of none at all', async () => {
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

    it('hands over at once what is to be tried again without delay, with the attempts counted', async () => {
      const [id] = await queue(fixture, 'a');
      for (let attempts = 0; attempts < 3; attempts++) {
        const event = await claimOne(fixture);
        assert.deepEqual([event.id, event.attempts], [id, attempts]);
        await settling(fixture).retry(event, 0);
      }
    });

    it('hands over at once what was released, with no attempt counted', async () => {
      const queued = await queue(fixture, 'a', 'b');
      await settling(fixture).release(...(await claim(fixture)));
      const again = await claim(fixture);
      assert.deepEqual(idsOf(again), queued);
      assert.ok(again.every(({ attempts }) => attempts === 0));
    });

    it('lets no one whose lease has run out take anything from its successor', async () => {
      await queue(fixture, 'a');
      const late = await claimOne(fixture, 0);
      await claimOne(fixture);
      const { retry, release, bury } = settling(fixture);
      await retry(late, 0);
      await release(late);
      await bury(late);
      assert.deepEqual(await claim(fixture), []);
      assert.deepEqual(await fixture.backend.outbox.backlog(), [
        { ...(await backlogOf(fixture, SIEM)), waiting: 1, dead: 0 },
      ]);
    });

    it('hastens what waits for another try, and nothing that is leased or dead', async () => {
      const queued = await queue(fixture, 'a', 'a', 'b', 'c');
      const [a1, a2, b, c] = await claim(fixture);
      assert.ok(a1 !== undefined && a2 !== undefined && b !== undefined && c !== undefined);
      await settling(fixture).retry(a1, LONG);
      await settling(fixture).release(a2);
      await settling(fixture).bury(b);
      assert.deepEqual(await claim(fixture), []);
      await fixture.backend.outbox.hasten(SIEM);
      const again = [...(await claim(fixture, 1)), ...(await claim(fixture, 10))];
      assert.deepEqual(idsOf(again), queued.slice(0, 1));
      await settling(fixture).delivered(...again);
      assert.deepEqual(idsOf(await claim(fixture)), queued.slice(1, 2));
    });

    it('hastens the first of a subject so that it comes before all that wait behind it', async () => {
      const [id] = await queue(fixture, ...Array.from({ length: 8 }, () => 'a'));
      const first = await claimOne(fixture);
      await settling(fixture).retry(first, LONG);
      await fixture.backend.outbox.hasten(SIEM, 1);
      assert.equal((await claimOne(fixture)).id, id);
    });

    it('hastens no more than asked: what is due first', async () => {
      const queued = await queue(fixture, 'a', 'b', 'c');
      const [a, b] = await claim(fixture);
      assert.ok(a !== undefined && b !== undefined);
      await settling(fixture).retry(a, 2 * LONG);
      await settling(fixture).retry(b, LONG);
      await fixture.backend.outbox.hasten(SIEM, 1);
      assert.deepEqual(idsOf(await claim(fixture)), queued.slice(1, 2));
    });

    it('buries what has waited for so long, tried or not, but nothing that is leased or newer', async () => {
      const { outbox } = fixture.backend;
      const queued = await queue(fixture, 'a', 'a', 'b', 'c');
      const c = (await claim(fixture)).find(({ subject }) => subject === 'c');
      assert.ok(c !== undefined);
      assert.equal(await outbox.buryOld(SIEM, 0, 100, 'gone'), 0);
      await settling(fixture).delivered(c);
      const later = await queue(fixture, 'd', 'd', 'e');
      const held = await claim(fixture, 1);
      assert.equal(await outbox.buryOld(SIEM, LONG, 100, 'gone'), 0);
      assert.equal(await outbox.buryOld(SIEM, 0, 1, 'gone'), 1);
      assert.equal(await outbox.buryOld(SIEM, 0, 100, 'gone'), 1);
      const [left] = await outbox.backlog();
      assert.deepEqual([left?.waiting, left?.dead], [4, 2]);
      assert.deepEqual([idsOf(held), later.length], [[later[0]], 3]);
      assert.ok(queued.length > 0);
    });

    it('tries no dead letter again until it is revived, and then as if for the first time', async () => {
      const queued = await queue(fixture, 'a', 'b', 'c');
      for (const event of await claim(fixture)) await settling(fixture).bury(event);
      assert.deepEqual(await claim(fixture), []);
      assert.equal(await fixture.backend.outbox.revive(SIEM, 2), 2);
      const again = await claim(fixture);
      assert.deepEqual(idsOf(again), queued.slice(0, 2));
      assert.ok(again.every(({ attempts }) => attempts === 0));
      assert.equal(await fixture.backend.outbox.revive(SIEM, 100), 1);
      assert.equal(await fixture.backend.outbox.revive(SIEM, 100), 0);
      assert.equal(await fixture.backend.outbox.revive('chat', 100), 0);
    });

    it('tells for each sink what waits, since when, and what is dead', async () => {
      const { outbox } = fixture.backend;
      assert.deepEqual(await outbox.backlog(), []);
      await queueFor(fixture, ['chat', SIEM], 'a', 'b', 'c');
      const [first, second] = await claim(fixture);
      assert.ok(first !== undefined && second !== undefined);
      await settling(fixture).bury(first);
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

    it('queues again what was delivered or is dead, and leaves what waits', async () => {
      const { outbox } = fixture.backend;
      const queued = await queue(fixture, 'a', 'b', 'c', 'd');
      const [a, b, c] = await claim(fixture, 3);
      assert.ok(a !== undefined && b !== undefined && c !== undefined);
      await settling(fixture).delivered(a);
      await settling(fixture).bury(b);
      assert.equal(await outbox.requeue(SIEM, [a.position, b.position, c.position, a.position + 1000]), 3);
      assert.deepEqual(idsOf(await claim(fixture)), [queued[0], queued[1], queued[3]]);
    });

    it('queues again also for a sink that had not selected it', async () => {
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

    it('forgets what happened before, and keeps the rest', async () => {
      const ids = await eachSecond(fixture, 4, []);
      assert.equal(await prune(noonPlus(2000)), 2);
      assert.deepEqual(await left(), ids.slice(2));
      assert.equal(await prune(noonPlus(2000)), 0);
    });

    it('forgets no more than asked, the oldest first', async () => {
      const ids = await eachSecond(fixture, 4, []);
      assert.equal(await prune(noonPlus(LONG), 3), 3);
      assert.deepEqual(await left(), ids.slice(3));
    });

    it('forgets also what nobody has ever read', async () => {
      await eachSecond(fixture, 2, []);
      assert.equal(await prune(noonPlus(LONG)), 2);
      assert.deepEqual(await left(), []);
    });

    it('keeps what still waits for a sink, and forgets it once it is delivered', async () => {
      const ids = await eachSecond(fixture, 2, [SIEM]);
      assert.equal(await prune(noonPlus(LONG)), 0);
      const [first] = await claim(fixture);
      assert.ok(first !== undefined);
      await settling(fixture).delivered(first);
      assert.equal(await prune(noonPlus(LONG)), 1);
      assert.deepEqual(await left(), ids.slice(1));
    });

    it('forgets dead letters, and what waits for a sink that nobody names any more', async () => {
      const { outbox } = fixture.backend;
      await eachSecond(fixture, 2, ['chat', SIEM]);
      for (const event of await claim(fixture)) await settling(fixture).bury(event);
      assert.equal(await prune(noonPlus(LONG), 100, [SIEM, 'chat']), 0);
      assert.equal(await prune(noonPlus(LONG)), 2);
      assert.deepEqual([await left(), await outbox.backlog()], [[], []]);
      assert.deepEqual(await claim(fixture, 100, LONG, 'chat'), []);
    });
  });
}
