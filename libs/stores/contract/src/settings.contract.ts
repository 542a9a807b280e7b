import assert from 'node:assert/strict';
import type { SettingChangeRecord, StoredOverrides } from '../../../contracts/src/settings/settings.store.js';
import { NOON, outgoingEvent, settingsPlan } from './builders.js';
import type { Runner, Stage } from './harness.js';
import { UNSTORABLE_TEXTS, UNUSUAL_TEXT } from './hostile-text.js';
import { entriesOf, pagesOf } from './reading.js';

const shown = ({ values, revision }: StoredOverrides): unknown => ({
  values: Object.fromEntries([...values].toSorted(([a], [b]) => (a < b ? -1 : 1))),
  revision,
});

const daysOf = ({ values }: StoredOverrides): number => Number(values.get('retention.days') ?? 0);

/** A value with a text as a key, in a list and deep inside. */
const holding = (text: string): unknown => ({ [text]: [text, { deep: text }] });

export function settingsContract({ describe, it }: Runner, stage: Stage): void {
  const write = (overrides: Record<string, unknown>): Promise<StoredOverrides> =>
    stage.backend.settings.apply(() => settingsPlan({ overrides }));

  const changes = (key?: string): Promise<SettingChangeRecord[]> =>
    entriesOf((page) => stage.backend.settings.changes(key === undefined ? {} : { key }, page));

  describe('settings', () => {
    it('begin empty, at revision 0, without a change', async () => {
      const { settings } = stage.backend;
      assert.deepEqual(shown(await settings.read()), { values: {}, revision: 0 });
      assert.equal(await settings.revision(), 0);
      assert.deepEqual(await changes(), []);
    });

    it('answer and read what was applied, one revision later', async () => {
      const applied = await write({ 'modes.hitl': 'monitor', 'retention.days': 30 });
      const expected = { values: { 'modes.hitl': 'monitor', 'retention.days': 30 }, revision: 1 };
      assert.deepEqual(shown(applied), expected);
      assert.deepEqual(shown(await stage.backend.settings.read()), expected);
    });

    it('hand the plan what is stored', async () => {
      await write({ 'modes.hitl': 'off' });
      let seen: unknown;
      await stage.backend.settings.apply((stored) => {
        seen = shown(stored);
        return null;
      });
      assert.deepEqual(seen, { values: { 'modes.hitl': 'off' }, revision: 1 });
    });

    it('leave overrides alone that a plan does not name', async () => {
      await write({ 'modes.hitl': 'off', 'retention.days': 30 });
      assert.deepEqual(shown(await write({ 'retention.days': 60 })), {
        values: { 'modes.hitl': 'off', 'retention.days': 60 },
        revision: 2,
      });
    });

    it('remove an override by null', async () => {
      await write({ 'modes.hitl': 'off', 'retention.days': 30 });
      assert.deepEqual(shown(await write({ 'modes.hitl': null })), {
        values: { 'retention.days': 30 },
        revision: 2,
      });
      assert.deepEqual(shown(await stage.backend.settings.read()), {
        values: { 'retention.days': 30 },
        revision: 2,
      });
    });

    it('take null for an override that was never there', async () => {
      assert.deepEqual(shown(await write({ 'modes.hitl': null })), { values: {}, revision: 1 });
    });

    it('write nothing for a plan of null, and keep the revision', async () => {
      await write({ 'modes.hitl': 'off' });
      const answer = await stage.backend.settings.apply(() => null);
      assert.deepEqual(shown(answer), { values: { 'modes.hitl': 'off' }, revision: 1 });
      assert.equal(await stage.backend.settings.revision(), 1);
      assert.equal((await changes()).length, 1);
    });

    it('pass on the very error of a plan that throws, and write nothing', async () => {
      await write({ 'modes.hitl': 'off' });
      const refusal = new Error('not like this');
      const thrown: unknown = await stage.backend.settings
        .apply(() => {
          throw refusal;
        })
        .catch((error: unknown) => error);
      assert.equal(thrown, refusal);
      assert.deepEqual(shown(await stage.backend.settings.read()), {
        values: { 'modes.hitl': 'off' },
        revision: 1,
      });
    });

    it('still take a plan after one that threw', async () => {
      await assert.rejects(
        stage.backend.settings.apply(() => {
          throw new Error('not like this');
        }),
      );
      assert.deepEqual(shown(await write({ 'modes.hitl': 'off' })), {
        values: { 'modes.hitl': 'off' },
        revision: 1,
      });
    });

    it('write nothing at all when the last part of a plan cannot be stored', async () => {
      const unreadable = {
        ...outgoingEvent(),
        get payload(): never {
          throw new Error('unreadable');
        },
      };
      await assert.rejects(
        stage.backend.settings.apply(() =>
          settingsPlan({ overrides: { 'modes.hitl': 'off' }, outgoing: [unreadable] }),
        ),
      );
      assert.deepEqual(shown(await stage.backend.settings.read()), { values: {}, revision: 0 });
      assert.deepEqual(await changes(), []);
    });

    it('answer the same revision alone and with the values', async () => {
      for (let round = 0; round < 3; round++) {
        const { revision } = await write({ 'retention.days': round });
        assert.equal(revision, round + 1);
        assert.equal(await stage.backend.settings.revision(), revision);
        assert.equal((await stage.backend.settings.read()).revision, revision);
      }
    });

    it('are the same for another instance, at once', async () => {
      const other = await stage.another();
      await write({ 'modes.hitl': 'off' });
      assert.equal(await other.settings.revision(), 1);
      assert.deepEqual(shown(await other.settings.read()), { values: { 'modes.hitl': 'off' }, revision: 1 });
    });

    for (const [name, value] of [
      ['booleans', false],
      ['numbers', 50_000],
      ['texts', UNUSUAL_TEXT],
      ['empty lists', []],
      ['lists in their order', ['z', 'a', 'm']],
      ['empty objects', {}],
      ['deep values', { a: [{ b: null }, 1.5, -0.1, 1e21, 'c'], d: { e: { f: true } } }],
    ] as const) {
      it(`keep ${name}`, async () => {
        await write({ 'some.key': value });
        assert.deepEqual((await stage.backend.settings.read()).values.get('some.key'), value);
      });
    }

    it('keep the order of the keys of a value, in overrides and in changes', async () => {
      const patterns = { zeta: '/z/i', alpha: '/a/i', 'mid.dle': '/m/i', Alpha: '/A/' };
      await write({ 'input_screen.patterns': patterns });
      const stored = (await stage.backend.settings.read()).values.get('input_screen.patterns');
      const [change] = await changes();
      assert.equal(JSON.stringify(stored), JSON.stringify(patterns));
      assert.equal(JSON.stringify(change?.after), JSON.stringify(patterns));
    });

    it('keep a key called __proto__ as a key like any other', async () => {
      const value: unknown = JSON.parse('{"__proto__":{"polluted":true},"constructor":"x"}');
      await write({ 'input_screen.rule_modes': value });
      const stored = (await stage.backend.settings.read()).values.get('input_screen.rule_modes');
      assert.equal(JSON.stringify(stored), JSON.stringify(value));
      assert.equal(Object.hasOwn({}, 'polluted'), false);
    });

    for (const { name, given, kept } of UNSTORABLE_TEXTS) {
      it(`scrub ${name} in values, their keys, and the record of the change`, async () => {
        const { settings } = stage.backend;
        await settings.apply(() =>
          settingsPlan({
            overrides: { 'some.key': holding(given) },
            changes: [{ key: `some.${given}`, before: given, after: holding(given) }],
            actorId: given,
            requestId: given,
          }),
        );
        assert.deepEqual((await settings.read()).values.get('some.key'), holding(kept));
        const [{ id, ...record } = { id: 0 }] = await changes();
        assert.ok(id > 0);
        assert.deepEqual(record, {
          key: `some.${kept}`,
          before: kept,
          after: holding(kept),
          actorId: kept,
          requestId: kept,
          occurredAt: NOON,
        });
      });
    }

    it('share nothing with their caller', async () => {
      const list = ['first'];
      const applied = await write({ 'some.key': list });
      list.push('second');
      (applied.values.get('some.key') as string[]).push('third');
      ((await stage.backend.settings.read()).values.get('some.key') as string[]).push('fourth');
      assert.deepEqual((await stage.backend.settings.read()).values.get('some.key'), ['first']);
    });

    describe('applied by many at once', () => {
      it('stand in line: each sees what the one before wrote, and the log replays to the end', async () => {
        const revisions = await stage.together(30, async ({ settings }, index) => {
          const applied = await settings.apply((stored) =>
            settingsPlan({
              overrides: { 'retention.days': daysOf(stored) + 1 },
              changes: [{ key: 'retention.days', before: daysOf(stored), after: daysOf(stored) + 1 }],
              actorId: `ops-${index}`,
            }),
          );
          assert.equal(daysOf(applied), applied.revision, 'each is answered with its own result');
          return applied.revision;
        });
        const upTo30 = Array.from({ length: 30 }, (_, index) => index + 1);
        assert.deepEqual(
          revisions.toSorted((a, b) => a - b),
          upTo30,
        );
        assert.deepEqual(shown(await stage.backend.settings.read()), {
          values: { 'retention.days': 30 },
          revision: 30,
        });

        const log = (await changes()).toReversed();
        assert.deepEqual(
          log.map((change) => [change.before, change.after]),
          upTo30.map((after) => [after - 1, after]),
        );
        assert.deepEqual(
          log.map((change) => change.actorId),
          actorsInOrder(revisions),
        );
      });

      it('write nothing for those that find nothing to do', async () => {
        await stage.together(10, ({ settings }) =>
          settings.apply((stored) =>
            stored.values.has('modes.hitl') ? null : settingsPlan({ overrides: { 'modes.hitl': 'off' } }),
          ),
        );
        assert.equal(await stage.backend.settings.revision(), 1);
        assert.equal((await changes()).length, 1);
      });
    });

    describe('changes', () => {
      it('tell who, what, when and on which request', async () => {
        const change = { key: 'modes.hitl', before: 'enforce', after: { to: ['off', null] } };
        await stage.backend.settings.apply(() =>
          settingsPlan({ overrides: {}, changes: [change], actorId: 'ops-2', requestId: 'request-7' }),
        );
        const [{ id, ...record } = { id: 0 }] = await changes();
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
          (await changes()).map(({ before, after }) => [before, after]),
          [
            ['/y/', null],
            [null, '/x/'],
          ],
        );
      });

      it('come newest first, the last of a plan first', async () => {
        await write({ 'a.one': 1, 'a.two': 2 });
        await write({ 'a.three': 3 });
        assert.deepEqual(
          (await changes()).map((change) => change.key),
          ['a.three', 'a.two', 'a.one'],
        );
      });

      it('are read in pages that end with null', async () => {
        await write({ 'a.1': 1, 'a.2': 2, 'a.3': 3, 'a.4': 4 });
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
        [
          'input_screen',
          ['input_screen.patterns_other', 'input_screen.patterns.one', 'input_screen.patterns'],
        ],
        ['input_screen.pattern_', []],
        ['input_screen.%', []],
        ['INPUT_SCREEN.PATTERNS', []],
        ['', []],
        ['x\u0000\uD83D', []],
      ] as const) {
        it(`for ${JSON.stringify(key)} are ${found.length} of four`, async () => {
          await write({
            'input_screen.patterns': 1,
            'input_screen.patterns.one': 2,
            'input_screen.patterns_other': 3,
            input_screenXpatterns: 4,
          });
          assert.deepEqual(
            (await changes(key)).map((change) => change.key),
            found,
          );
        });
      }
    });
  });
}

/** Who wrote revision 1, 2, 3 …, given which revision each of `ops-0`, `ops-1` … was answered with. */
function actorsInOrder(revisions: readonly number[]): string[] {
  return revisions
    .map((revision, index) => ({ revision, actor: `ops-${index}` }))
    .toSorted((a, b) => a.revision - b.revision)
    .map(({ actor }) => actor);
}
