import assert from 'node:assert/strict';
import type { DeadLetterRequest } from '#contracts/events/outbox.js';
import { idsOf, type Contract } from './backend-fixture.js';
import { noonPlus } from './builders.js';
import { LONG, SIEM, sinkOf } from './outbox-helpers.js';

/** Claims per instance before the test case stops waiting for the rest. */
const ROUNDS = 200;

/** Deliveries: what a sink claims, and how it reports the result. */
export const outboxContract: Contract = ({ describe, it }, fixture) => {
  const { claim, claimOne, delivered, markDead, queue, queueAndClaim, queueFor, release, retry } =
    sinkOf(fixture);
  const { outbox } = fixture;
  describe('claim', () => {
    it('leases the oldest events first, up to the limit', async () => {
      const queued = await queue('a', 'b', 'c');
      const [first, rest] = [await claim(2), await claim(2)];
      assert.deepEqual([idsOf(first), idsOf(rest)], [queued.slice(0, 2), queued.slice(2)]);
      const positions = [...first, ...rest].map((event) => event.position);
      assert.deepEqual(
        positions,
        positions.toSorted((a, b) => a - b),
      );
      assert.deepEqual(await claim(), []);
    });

    it('returns an event immediately after it was queued', async () => {
      for (let round = 0; round < 20; round++) {
        const [event] = await queueAndClaim('a');
        await delivered(event);
      }
    });

    it('returns an event again after its lease expired, with a new lease', async () => {
      const [id] = await queue('a');
      const [before, after] = [await claimOne(0), await claimOne()];
      assert.deepEqual([after.id, after.attempts], [id, 0]);
      assert.notEqual(after.lease, before.lease);
    });

    it('returns each event to exactly one of many concurrent callers', async () => {
      const queued = await queue(...Array.from({ length: 30 }, (_, index) => `subject-${index}`));
      const claimed = (
        await fixture.concurrently(12, (backend) => backend.outbox.claim(SIEM, 5, LONG))
      ).flat();
      const taken = idsOf([...claimed, ...(await claim())]);
      assert.deepEqual(taken.toSorted(), queued.toSorted());
    });

    it('returns the events of the sink only, independently of other sinks', async () => {
      const [both] = await queueFor(['chat', SIEM], 'a');
      const [chatOnly] = await queueFor(['chat'], 'a');
      await queueFor([], 'a');
      const ofChat = await sinkOf(fixture, 'chat').claim();
      assert.deepEqual(idsOf(ofChat), [both, chatOnly]);
      await sinkOf(fixture, 'chat').delivered(...ofChat);
      assert.deepEqual(idsOf(await claim()), [both]);
      assert.deepEqual(await sinkOf(fixture, 'pager').claim(), []);
    });
  });

  describe('the events of a subject', () => {
    it('are returned to one caller at a time', async () => {
      const [a1, a2, b, a3] = await queue('a', 'a', 'b', 'a');
      const first = await claimOne();
      assert.equal(first.id, a1);
      assert.deepEqual(idsOf(await claim()), [b]);
      assert.deepEqual(await claim(), []);
      await delivered(first);
      assert.deepEqual(idsOf(await claim()), [a2, a3]);
    });

    it('that were queued during a lease follow immediately after the delivery', async () => {
      const leased = await queueAndClaim('a', 'a');
      const [late] = await queue('a');
      assert.deepEqual(await claim(), []);
      for (const event of leased) await delivered(event);
      assert.deepEqual(idsOf(await claim()), [late]);
    });

    it('wait for a delayed retry without holding up other subjects', async () => {
      const [, , b] = await queue('a', 'a', 'b');
      await retry(await claimOne(), LONG);
      assert.deepEqual(idsOf(await claim()), [b]);
      assert.deepEqual(await claim(), []);
    });

    it('start with the one that is retried', async () => {
      const [first, second] = await queueAndClaim('a', 'a');
      await retry(first, 0);
      await release(second);
      const again = await claim();
      assert.deepEqual(
        again.map(({ id, attempts }) => [id, attempts]),
        [
          [first.id, 1],
          [second.id, 0],
        ],
      );
    });

    it('continue after a dead letter', async () => {
      const queued = await queue('a', 'a', 'a');
      const first = await claimOne();
      assert.deepEqual(await claim(), []);
      await markDead(first);
      assert.deepEqual(idsOf(await claim()), queued.slice(1));
    });

    it('that wait are skipped to find as many due events as requested', async () => {
      const queued = await queue('a', 'a', 'a', 'b', 'c');
      await claim(1);
      const found = [...(await claim(2)), ...(await claim(2)), ...(await claim(2))];
      assert.deepEqual(idsOf(found), queued.slice(3));
    });

    it('keep their order while many callers claim, fail and deliver concurrently', async () => {
      const subjects = ['a', 'b', 'c'];
      const queued = await queue(...Array.from({ length: 30 }, (_, at) => subjects[at % 3] ?? 'a'));
      const arrived: string[] = [];
      await fixture.concurrently(6, async (backend, worker) => {
        for (let round = 0; round < ROUNDS && arrived.length < queued.length; round++) {
          const [first, ...rest] = await backend.outbox.claim(SIEM, 1 + (worker % 4), LONG);
          if (first === undefined) continue;
          if ((round + worker) % 3 === 0) {
            await backend.outbox.retry(SIEM, first, 0, 'refused');
            await backend.outbox.release(SIEM, rest);
            continue;
          }
          for (const event of [first, ...rest]) {
            arrived.push(event.id);
            await backend.outbox.delivered(SIEM, [event]);
          }
        }
      });
      const places = (from: readonly string[], at: number) =>
        from.filter((id) => queued.indexOf(id) % 3 === at);
      for (const at of [0, 1, 2]) assert.deepEqual(places(arrived, at), places(queued, at));
    });
  });

  describe('a claimed event', () => {
    it('is removed on delivery, also twice and after its lease expired', async () => {
      await queue('a');
      const event = await claimOne(0);
      await delivered(event);
      await delivered(event);
      await delivered({ ...event, position: event.position + 1000 });
      await delivered();
      await retry(event, 0, 'too late');
      assert.deepEqual(await claim(), []);
    });

    it('is due immediately after a retry without delay, and the attempt is counted', async () => {
      const [id] = await queue('a');
      for (let attempts = 0; attempts < 3; attempts++) {
        const event = await claimOne();
        assert.deepEqual([event.id, event.attempts], [id, attempts]);
        await retry(event, 0);
      }
    });

    it('is due immediately after release, and no attempt is counted', async () => {
      const [event] = await queueAndClaim('a');
      await release(event);
      const again = await claimOne();
      assert.deepEqual([again.id, again.attempts], [event.id, 0]);
    });

    it('cannot be changed by the holder of an expired lease', async () => {
      await queue('a');
      const late = await claimOne(0);
      await claimOne();
      await retry(late, 0);
      await release(late);
      await markDead(late);
      assert.deepEqual(await claim(), []);
      const [left] = await outbox.backlog();
      assert.deepEqual([left?.waiting, left?.retrying, left?.dead], [1, 0, 0]);
    });

    it('can be queued again after delivery, as a dead letter or for another sink, but not while it waits', async () => {
      const [a, b, c] = await queueAndClaim('a', 'b', 'c');
      await delivered(a);
      await markDead(b);
      assert.equal(await outbox.requeue(SIEM, [a.position, b.position, c.position, a.position + 1000]), 3);
      assert.deepEqual(idsOf(await claim()), [a.id, b.id]);
      assert.equal(await outbox.requeue('pager', [c.position]), 1);
      assert.deepEqual(idsOf(await sinkOf(fixture, 'pager').claim()), [c.id]);
    });

    it('is counted in the backlog of its sink as waiting, retrying or dead', async () => {
      assert.deepEqual(await outbox.backlog(), []);
      await queueFor(['chat', SIEM], 'a', 'b', 'c');
      const [first, second] = [await claimOne(), await claimOne()];
      await markDead(first);
      await retry(second, LONG);
      await sinkOf(fixture, 'chat').delivered(...(await sinkOf(fixture, 'chat').claim()));
      const waitingSince = second.occurredAt;
      assert.deepEqual(await outbox.backlog(), [
        { sink: SIEM, waiting: 2, retrying: 1, dead: 1, waitingSince, error: 'refused' },
      ]);
    });
  });

  describe('retryNow', () => {
    it('makes events due that wait for a retry, but not leased or dead ones', async () => {
      const [a1, a2, b] = await queueAndClaim('a', 'a', 'b', 'c');
      await retry(a1, LONG);
      await release(a2);
      await markDead(b);
      assert.deepEqual(await claim(), []);
      await outbox.retryNow(SIEM);
      const again = [...(await claim(1)), ...(await claim(10))];
      assert.deepEqual(idsOf(again), [a1.id]);
      await delivered(...again);
      assert.deepEqual(idsOf(await claim()), [a2.id]);
    });

    it('puts an event before later events of its subject', async () => {
      const [id] = await queue(...Array.from({ length: 8 }, () => 'a'));
      await retry(await claimOne(), LONG);
      await outbox.retryNow(SIEM, 1);
      assert.equal((await claimOne()).id, id);
    });

    it('takes the events with the earliest due times, up to the limit', async () => {
      const [a, b] = await queueAndClaim('a', 'b');
      await retry(a, 2 * LONG);
      await retry(b, LONG);
      await outbox.retryNow(SIEM, 1);
      assert.deepEqual(idsOf(await claim()), [b.id]);
    });
  });
};

export const deadLetterContract: Contract = ({ describe, it }, fixture) => {
  const { claim, claimOne, delivered, markDead, queue, queueAndClaim, queueFor, retry } = sinkOf(fixture);
  const { outbox } = fixture;
  const list = (request: Partial<DeadLetterRequest> = {}, sink = SIEM) =>
    outbox.deadLetters(sink, { limit: 100, ...request });
  const letters = async () => (await list()).entries;

  /** Queues one event per subject and makes each of them a dead letter. */
  async function bury(...subjects: readonly string[]): Promise<string[]> {
    const events = await queueAndClaim(...subjects);
    for (const event of events) await markDead(event);
    return idsOf(events);
  }

  describe('dead letters', () => {
    it('are listed with the event, the attempts, the last error and the time', async () => {
      const [event] = await queueAndClaim('a', 'b');
      await retry(event, 0);
      await markDead(await claimOne(), 'refused for three days');
      const [stored] = await outbox.after(0, 1);
      const [letter, ...others] = await letters();
      assert.ok(letter !== undefined && others.length === 0);
      const { attempts, error, diedAt, ...rest } = letter;
      assert.deepEqual([rest, attempts, error], [stored, 2, 'refused for three days']);
      assert.ok(diedAt instanceof Date && diedAt >= event.queuedAt);
    });

    it('are listed newest event first, in pages, each one once', async () => {
      const ids = await bury('a', 'b', 'a', 'c', 'a');
      const seen: string[] = [];
      let cursor: number | undefined;
      for (const size of [2, 2, 1]) {
        const page = await list({ limit: 2, ...(cursor !== undefined && { cursor }) });
        assert.deepEqual([page.entries.length, page.partial], [size, undefined]);
        seen.push(...idsOf(page.entries));
        assert.equal(page.next_cursor === null, size === 1);
        cursor = page.next_cursor ?? undefined;
        await bury('newer');
      }
      assert.deepEqual(seen, ids.toReversed());
    });

    it('are those of the sink, and not what waits, was delivered or was deleted', async () => {
      await queueFor(['chat', SIEM], 'a', 'b', 'c');
      const [a, b] = [await claimOne(), await claimOne()];
      await markDead(a);
      await delivered(b);
      assert.deepEqual(idsOf(await letters()), [a.id]);
      for (const sink of ['chat', 'nobody']) assert.deepEqual((await list({}, sink)).entries, []);
      await outbox.prune(noonPlus(LONG), 1, [SIEM]);
      assert.deepEqual(await letters(), []);
    });

    it('are found and retried by the sequence number of the event, with 0 attempts', async () => {
      const ids = await bury('a', 'b', 'c');
      const sequence = (await letters())[1]?.sequence ?? 0;
      assert.deepEqual(idsOf((await list({ sequence, limit: 1 })).entries), [ids[1]]);
      assert.equal(await outbox.retryDead('chat', 10, sequence), 0);
      assert.equal(await outbox.retryDead(SIEM, 10, sequence + 1000), 0);
      assert.equal(await outbox.retryDead(SIEM, 10, sequence), 1);
      assert.equal(await outbox.retryDead(SIEM, 10, sequence), 0);
      const again = await claimOne();
      assert.deepEqual([again.id, again.attempts], [ids[1], 0]);
      assert.deepEqual(idsOf(await letters()), [ids[2], ids[0]]);
      await markDead(again, 'refused again');
      const letter = (await letters())[1];
      assert.deepEqual([letter?.id, letter?.attempts, letter?.error], [ids[1], 1, 'refused again']);
    });

    it('are claimed only after they were retried, the oldest first', async () => {
      const ids = await bury('a', 'b', 'c');
      assert.deepEqual(await claim(), []);
      assert.equal(await outbox.retryDead(SIEM, 2), 2);
      assert.deepEqual(idsOf(await claim()), ids.slice(0, 2));
      assert.deepEqual([await outbox.retryDead(SIEM, 100), await outbox.retryDead(SIEM, 100)], [1, 0]);
    });

    it('are made of events that waited too long; leased and newer events are not', async () => {
      await queueAndClaim('a');
      assert.equal(await outbox.markOldDead(SIEM, 0, 100, 'gone'), 0);
      await queue('b', 'c', 'd');
      assert.equal(await outbox.markOldDead(SIEM, LONG, 100, 'gone'), 0);
      assert.equal(await outbox.markOldDead(SIEM, 0, 1, 'gone'), 1);
      assert.equal(await outbox.markOldDead(SIEM, 0, 100, 'gone'), 2);
      const [left] = await outbox.backlog();
      assert.deepEqual([left?.waiting, left?.dead], [1, 3]);
      const [letter] = await letters();
      assert.deepEqual([letter?.attempts, letter?.error], [0, 'gone']);
      assert.ok(letter?.diedAt instanceof Date);
    });
  });
};
