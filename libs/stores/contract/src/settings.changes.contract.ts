import assert from 'node:assert/strict';
import { NOON, settingsPlan } from './builders.js';
import type { Runner, Stage } from './harness.js';
import { pagesOf } from './reading.js';
import { changesOf, write } from './settings-acts.js';

export function settingsChangesContract({ describe, it }: Runner, stage: Stage): void {
  describe('changes', () => {
    it('tell who, what, when and on which request', async () => {
      const change = { key: 'modes.hitl', before: 'enforce', after: { to: ['off', null] } };
      await stage.backend.settings.apply(() =>
        settingsPlan({ overrides: {}, changes: [change], actorId: 'ops-2', requestId: 'request-7' }),
      );
      const [{ id, ...record } = { id: 0 }] = await changesOf(stage);
      assert.ok(Number.isSafeInteger(id) && id > 0);
      assert.deepEqual(record, { ...change, actorId: 'ops-2', requestId: 'request-7', occurredAt: NOON });
    });

    it('keep null as the value of a key that was not there before or is gone after', async () => {
      await stage.backend.settings.apply(() =>
        settingsPlan({
          overrides: {},
          changes: [
            { key: 'input_screen.patterns.new', before: null, after: '/x/' },
            { key: 'input_screen.patterns.old', before: '/y/', after: null },
          ],
        }),
      );
      assert.deepEqual(
        (await changesOf(stage)).map(({ before, after }) => [before, after]),
        [
          ['/y/', null],
          [null, '/x/'],
        ],
      );
    });

    it('come newest first, the last of a plan first', async () => {
      await write(stage, { 'a.one': 1, 'a.two': 2 });
      await write(stage, { 'a.three': 3 });
      assert.deepEqual(
        (await changesOf(stage)).map((change) => change.key),
        ['a.three', 'a.two', 'a.one'],
      );
    });

    it('are read in pages that end with null', async () => {
      await write(stage, { 'a.1': 1, 'a.2': 2, 'a.3': 3, 'a.4': 4 });
      const pages = await pagesOf((page) => stage.backend.settings.changes({}, page), 2);
      assert.deepEqual(
        pages.map((page) => page.entries.map((change) => change.key)),
        [
          ['a.4', 'a.3'],
          ['a.2', 'a.1'],
        ],
      );
      assert.ok(pages.every((page) => !page.partial));
    });

    for (const [key, found] of [
      ['input_screen.patterns', ['input_screen.patterns.one', 'input_screen.patterns']],
      ['input_screen.patterns.one', ['input_screen.patterns.one']],
      ['input_screen', ['input_screen.patterns_other', 'input_screen.patterns.one', 'input_screen.patterns']],
      ['input_screen.pattern_', []],
      ['input_screen.%', []],
      ['INPUT_SCREEN.PATTERNS', []],
      ['', []],
      ['x\u0000\uD83D', []],
    ] as const) {
      it(`for ${JSON.stringify(key)} are ${found.length} of four`, async () => {
        await write(stage, {
          'input_screen.patterns': 1,
          'input_screen.patterns.one': 2,
          'input_screen.patterns_other': 3,
          input_screenXpatterns: 4,
        });
        assert.deepEqual(
          (await changesOf(stage, key)).map((change) => change.key),
          found,
        );
      });
    }
  });
}
