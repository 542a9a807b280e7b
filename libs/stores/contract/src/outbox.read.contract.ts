import assert from 'node:assert/strict';
import { decision, outgoingEvent, settingsPlan } from './builders.js';
import type { Runner, Stage } from './harness.js';
import { claim, idsOf, queueFor, settling } from './outbox-acts.js';

export function outboxReadContract({ describe, it }: Runner, stage: Stage): void {
  describe('after', () => {
    it('has nothing at first', async () => {
      assert.deepEqual(await stage.backend.outbox.after(0, 10), []);
    });

    it('hands over what is kept, for whomever it was, in the order of commits', async () => {
      const { outbox } = stage.backend;
      const before = await outbox.newest();
      const ids = [
        ...(await queueFor(stage, [], 'a')),
        ...(await queueFor(stage, ['chat', 'siem'], 'a')),
        ...(await queueFor(stage, ['siem'], 'b')),
      ];
      const found = await outbox.after(before, 10);
      assert.deepEqual(idsOf(found), ids);
      assert.ok(found.every(({ sequence }, at) => sequence > (found[at - 1]?.sequence ?? before)));
      assert.equal(await outbox.newest(), found.at(-1)?.sequence);
    });

    it('goes on where a reader stopped, with no more than asked', async () => {
      const { outbox } = stage.backend;
      const ids = await queueFor(stage, [], 'a', 'b', 'c', 'd', 'e');
      const first = await outbox.after(0, 2);
      const rest = await outbox.after(first.at(-1)?.sequence ?? 0, 10);
      assert.deepEqual([idsOf(first), idsOf(rest)], [ids.slice(0, 2), ids.slice(2)]);
      assert.deepEqual(await outbox.after(rest.at(-1)?.sequence ?? 0, 10), []);
    });

    it('still has what was delivered, under the same number', async () => {
      const { outbox } = stage.backend;
      await queueFor(stage, ['siem'], 'a');
      const before = await outbox.after(0, 10);
      await settling(stage).delivered(...(await claim(stage)));
      assert.deepEqual(await outbox.after(0, 10), before);
    });

    it('has the evidence of each, and none for settings', async () => {
      const auditId = await stage.backend.audit.append(decision({ outgoing: [outgoingEvent()] }));
      await stage.backend.settings.apply(() =>
        settingsPlan({ overrides: { 'modes.hitl': 'off' }, outgoing: [outgoingEvent()] }),
      );
      const found = await stage.backend.outbox.after(0, 10);
      assert.deepEqual(
        found.map((event) => event.auditId),
        [auditId, null],
      );
    });

    it('skips nobody, however many write and read at once', async () => {
      const total = 60;
      const seen: string[] = [];
      let written = 0;
      const read = async (): Promise<void> => {
        const reader = await stage.another();
        let last = 0;
        for (let done = false; !done;) {
          done = written === total;
          const found = await reader.outbox.after(last, 7);
          last = found.at(-1)?.sequence ?? last;
          seen.push(...idsOf(found));
          done &&= found.length === 0;
        }
      };
      const write = stage.together(total, async ({ audit }, at) => {
        await audit.append(decision({ outgoing: [outgoingEvent({ id: `event-${at}`, sinks: [] })] }));
        written += 1;
      });
      await Promise.all([write, read()]);
      assert.deepEqual(seen.toSorted(), Array.from({ length: total }, (_, at) => `event-${at}`).toSorted());
    });
  });
}
