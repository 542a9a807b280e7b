import assert from 'node:assert/strict';
import type { DeadLetter } from '#contracts/events/outbox.js';
import type { Runner, BackendFixture } from './backend-fixture.js';
import { claim, idsOf, LONG, queue, queueFor, settling, SIEM } from './outbox-helpers.js';

/** Queues one event per subject and makes each of them a dead letter. */
async function bury(fixture: BackendFixture, ...subjects: readonly string[]): Promise<string[]> {
  const queued = await queue(fixture, ...subjects);
  for (const event of await claim(fixture)) await settling(fixture).markDead(event);
  return queued;
}

export function outboxDeadContract({ describe, it }: Runner, fixture: BackendFixture): void {
  const list = async (limit = 100, cursor?: number) =>
    fixture.backend.outbox.deadLetters(SIEM, { limit, ...(cursor !== undefined && { cursor }) });
  const one = async (sequence: number): Promise<DeadLetter | undefined> =>
    (await fixture.backend.outbox.deadLetters(SIEM, { sequence, limit: 1 })).entries[0];

  describe('dead letters', () => {
    it('are listed with the event, the attempts, the last error and the time', async () => {
      const [id] = await queue(fixture, 'a', 'b');
      const [first, second] = await claim(fixture);
      assert.ok(first !== undefined && second !== undefined);
      await settling(fixture).retry(first, 0);
      const [again] = await claim(fixture, 1);
      assert.ok(again !== undefined);
      await settling(fixture).markDead(again, 'refused for three days');
      const { entries, next_cursor } = await list();
      const [stored] = await fixture.backend.outbox.after(0, 1);
      const [letter] = entries;
      assert.deepEqual([entries.length, next_cursor], [1, null]);
      assert.ok(letter !== undefined);
      const { attempts, error, diedAt, ...event } = letter;
      assert.deepEqual([event.id, attempts, error], [id, 2, 'refused for three days']);
      assert.ok(diedAt instanceof Date && diedAt >= again.queuedAt);
      assert.deepEqual(event, stored);
    });

    it('have 0 attempts if they were never attempted', async () => {
      await queue(fixture, 'a');
      assert.equal(await fixture.backend.outbox.markOldDead(SIEM, 0, 10, 'gone'), 1);
      const [letter] = (await list()).entries;
      assert.deepEqual([letter?.attempts, letter?.error], [0, 'gone']);
      assert.ok(letter?.diedAt instanceof Date);
    });

    it('are read in pages, newest event first, each one once', async () => {
      const ids = await bury(fixture, 'a', 'b', 'a', 'c', 'a');
      const seen: string[] = [];
      let cursor: number | undefined;
      for (const size of [2, 2, 1]) {
        const page = await list(2, cursor);
        assert.deepEqual([page.entries.length, page.partial], [size, undefined]);
        seen.push(...idsOf(page.entries));
        assert.equal(page.next_cursor === null, size === 1);
        cursor = page.next_cursor ?? undefined;
        await bury(fixture, 'newer');
      }
      assert.deepEqual(seen, ids.toReversed());
      assert.deepEqual(idsOf((await list(2)).entries).length, 2);
    });

    it('are those of the sink, and not what waits or was delivered', async () => {
      await queueFor(fixture, ['chat', SIEM], 'a', 'b', 'c');
      const [a, b] = await claim(fixture);
      assert.ok(a !== undefined && b !== undefined);
      await settling(fixture).markDead(a);
      await settling(fixture).delivered(b);
      assert.deepEqual(idsOf((await list()).entries), [a.id]);
      assert.deepEqual((await fixture.backend.outbox.deadLetters('chat', { limit: 10 })).entries, []);
      assert.deepEqual((await fixture.backend.outbox.deadLetters('nobody', { limit: 10 })).entries, []);
    });

    it('are found and retried by the sequence number of the event', async () => {
      const ids = await bury(fixture, 'a', 'b', 'c');
      const { outbox } = fixture.backend;
      const middle = (await list()).entries[1];
      assert.ok(middle !== undefined);
      assert.equal((await one(middle.sequence))?.id, ids[1]);
      assert.equal(await outbox.retryDead('chat', 10, middle.sequence), 0);
      assert.equal(await outbox.retryDead(SIEM, 10, middle.sequence), 1);
      assert.equal(await one(middle.sequence), undefined);
      assert.equal(await outbox.retryDead(SIEM, 10, middle.sequence), 0);
      assert.equal(await outbox.retryDead(SIEM, 10, middle.sequence + 1000), 0);
      const [again] = await claim(fixture, 10, LONG);
      assert.deepEqual([again?.id, again?.attempts], [ids[1], 0]);
      assert.deepEqual(idsOf((await list()).entries), [ids[2], ids[0]]);
    });

    it('are listed with the new attempts and error after they were retried and failed again', async () => {
      await bury(fixture, 'a');
      await fixture.backend.outbox.retryDead(SIEM, 10);
      assert.deepEqual((await list()).entries, []);
      const [again] = await claim(fixture);
      assert.ok(again !== undefined);
      await settling(fixture).markDead(again, 'refused again');
      const [letter] = (await list()).entries;
      assert.deepEqual([letter?.attempts, letter?.error], [1, 'refused again']);
    });

    it('are not listed after the event was deleted', async () => {
      await bury(fixture, 'a', 'b');
      await fixture.backend.outbox.prune(new Date(Date.now() + LONG), 1, [SIEM]);
      assert.equal((await list()).entries.length, 1);
    });
  });
}
