import assert from 'node:assert/strict';
import { NOON, settingsPlan } from './builders.js';
import { type Runner, type BackendFixture, pagesOf } from './backend-fixture.js';
import { UNSTORABLE_TEXTS, UNUSUAL_TEXT } from './hostile-text.js';
import { changesOf, write } from './settings-helpers.js';

/** A value that contains the text as a key, in a list and nested. */
const holding = (text: string): unknown => ({ [text]: [text, { deep: text }] });

export function settingsValuesContract({ describe, it }: Runner, fixture: BackendFixture): void {
  describe('values', () => {
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
        await write(fixture, { 'some.key': value });
        assert.deepEqual((await fixture.backend.settings.read()).values.get('some.key'), value);
      });
    }

    it('keep the key order of a value in overrides and in changes', async () => {
      const patterns = { zeta: '/z/i', alpha: '/a/i', 'mid.dle': '/m/i', Alpha: '/A/' };
      await write(fixture, { 'input_screen.patterns': patterns });
      const stored = (await fixture.backend.settings.read()).values.get('input_screen.patterns');
      const [change] = await changesOf(fixture);
      assert.equal(JSON.stringify(stored), JSON.stringify(patterns));
      assert.equal(JSON.stringify(change?.after), JSON.stringify(patterns));
    });

    it('keep changed, added, removed and unchanged entries of patterns', async () => {
      const key = 'input_screen.patterns';
      const read = async (): Promise<unknown> => (await fixture.backend.settings.read()).values.get(key);
      const other = await fixture.another();
      for (const patterns of [
        { b: '/b/', a: '/a/', c: '/c/' },
        { c: '/c/', d: '/d/', b: '/b/i' },
        { b: '/b/i', c: '/c/', d: '/d/' },
        {},
        { a: '/a/' },
      ]) {
        const applied = await write(fixture, { [key]: patterns });
        assert.equal(JSON.stringify(applied.values.get(key)), JSON.stringify(patterns));
        assert.equal(JSON.stringify(await read()), JSON.stringify(patterns));
        const seen = await other.settings.apply(() => null);
        assert.equal(JSON.stringify(seen.values.get(key)), JSON.stringify(patterns));
      }
      await other.settings.apply(() => settingsPlan({ overrides: { [key]: { z: '/z/' } } }));
      assert.deepEqual((await write(fixture, { 'modes.hitl': 'off' })).values.get(key), { z: '/z/' });
      assert.equal((await write(fixture, { [key]: null })).values.has(key), false);
      assert.equal(await read(), undefined);
    });

    it('keep a key called __proto__', async () => {
      const value: unknown = JSON.parse('{"__proto__":{"polluted":true},"constructor":"x"}');
      await write(fixture, { 'input_screen.rule_modes': value });
      const stored = (await fixture.backend.settings.read()).values.get('input_screen.rule_modes');
      assert.equal(JSON.stringify(stored), JSON.stringify(value));
      assert.equal(Object.hasOwn({}, 'polluted'), false);
    });

    for (const { name, given, kept } of UNSTORABLE_TEXTS) {
      it(`have ${name} replaced in values, keys and change records`, async () => {
        const { settings } = fixture.backend;
        await settings.apply(() =>
          settingsPlan({
            overrides: { 'some.key': holding(given) },
            changes: [{ key: `some.${given}`, before: given, after: holding(given) }],
            actorId: given,
            requestId: given,
          }),
        );
        assert.deepEqual((await settings.read()).values.get('some.key'), holding(kept));
        const [{ id, ...record } = { id: 0 }] = await changesOf(fixture);
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

    it('share no object with the caller', async () => {
      const list = ['first'];
      const applied = await write(fixture, { 'some.key': list });
      list.push('second');
      (applied.values.get('some.key') as string[]).push('third');
      ((await fixture.backend.settings.read()).values.get('some.key') as string[]).push('fourth');
      assert.deepEqual((await fixture.backend.settings.read()).values.get('some.key'), ['first']);
    });
  });

  describe('changes', () => {
    it('contain actor, key, values, time and request', async () => {
      const change = { key: 'modes.hitl', before: 'enforce', after: { to: ['off', null] } };
      await fixture.backend.settings.apply(() =>
        settingsPlan({ overrides: {}, changes: [change], actorId: 'ops-2', requestId: 'request-7' }),
      );
      const [{ id, ...record } = { id: 0 }] = await changesOf(fixture);
      assert.ok(Number.isSafeInteger(id) && id > 0);
      assert.deepEqual(record, { ...change, actorId: 'ops-2', requestId: 'request-7', occurredAt: NOON });
    });

    it('have null as the value before a key was added or after it was removed', async () => {
      await fixture.backend.settings.apply(() =>
        settingsPlan({
          overrides: {},
          changes: [
            { key: 'input_screen.patterns.new', before: null, after: '/x/' },
            { key: 'input_screen.patterns.old', before: '/y/', after: null },
          ],
        }),
      );
      assert.deepEqual(
        (await changesOf(fixture)).map(({ before, after }) => [before, after]),
        [
          ['/y/', null],
          [null, '/x/'],
        ],
      );
    });

    it('are returned newest first, within a plan the last one first', async () => {
      await write(fixture, { 'a.one': 1, 'a.two': 2 });
      await write(fixture, { 'a.three': 3 });
      assert.deepEqual(
        (await changesOf(fixture)).map((change) => change.key),
        ['a.three', 'a.two', 'a.one'],
      );
    });

    it('are returned in pages; the last cursor is null', async () => {
      await write(fixture, { 'a.1': 1, 'a.2': 2, 'a.3': 3, 'a.4': 4 });
      const pages = await pagesOf((page) => fixture.backend.settings.changes({}, page), 2);
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
      it(`filtered by ${JSON.stringify(key)} are ${found.length} of four`, async () => {
        await write(fixture, {
          'input_screen.patterns': 1,
          'input_screen.patterns.one': 2,
          'input_screen.patterns_other': 3,
          input_screenXpatterns: 4,
        });
        assert.deepEqual(
          (await changesOf(fixture, key)).map((change) => change.key),
          found,
        );
      });
    }
  });
}
