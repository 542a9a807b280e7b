import assert from 'node:assert/strict';
import { decision, noonPlus, outgoingEvent } from './builders.js';
import type { Runner, Stage } from './harness.js';
import { claim, idsOf, LONG, settling, SIEM } from './outbox-acts.js';

/** One event a second from noon on. */
async function eachSecond(stage: Stage, count: number, sinks: readonly string[]): Promise<string[]> {
  const events = Array.from({ length: count }, (_, at) =>
    outgoingEvent({ occurredAt: noonPlus(at * 1000), sinks }),
  );
  for (const event of events) await stage.backend.audit.append(decision({ outgoing: [event] }));
  return idsOf(events);
}

export function outboxKeepContract({ describe, it }: Runner, stage: Stage): void {
  describe('prune', () => {
    const prune = (before: Date, limit = 100, sinks: readonly string[] = [SIEM]): Promise<number> =>
      stage.backend.outbox.prune(before, limit, sinks);
    const left = async (): Promise<string[]> => idsOf(await stage.backend.outbox.after(0, 100));

    it('forgets what happened before, and keeps the rest', async () => {
      const ids = await eachSecond(stage, 4, []);
      assert.equal(await prune(noonPlus(2000)), 2);
      assert.deepEqual(await left(), ids.slice(2));
      assert.equal(await prune(noonPlus(2000)), 0);
    });

    it('forgets no more than asked, the oldest first', async () => {
      const ids = await eachSecond(stage, 4, []);
      assert.equal(await prune(noonPlus(LONG), 3), 3);
      assert.deepEqual(await left(), ids.slice(3));
    });

    it('forgets also what nobody has ever read', async () => {
      await eachSecond(stage, 2, []);
      assert.equal(await prune(noonPlus(LONG)), 2);
      assert.deepEqual(await left(), []);
    });

    it('keeps what still waits for a sink, and forgets it once it is delivered', async () => {
      const ids = await eachSecond(stage, 2, [SIEM]);
      assert.equal(await prune(noonPlus(LONG)), 0);
      const [first] = await claim(stage);
      assert.ok(first !== undefined);
      await settling(stage).delivered(first);
      assert.equal(await prune(noonPlus(LONG)), 1);
      assert.deepEqual(await left(), ids.slice(1));
    });

    it('forgets dead letters, and what waits for a sink that nobody names any more', async () => {
      const { outbox } = stage.backend;
      await eachSecond(stage, 2, ['chat', SIEM]);
      for (const event of await claim(stage)) await settling(stage).bury(event);
      assert.equal(await prune(noonPlus(LONG), 100, [SIEM, 'chat']), 0);
      assert.equal(await prune(noonPlus(LONG)), 2);
      assert.deepEqual([await left(), await outbox.backlog()], [[], []]);
      assert.deepEqual(await claim(stage, 100, LONG, 'chat'), []);
    });
  });
}
