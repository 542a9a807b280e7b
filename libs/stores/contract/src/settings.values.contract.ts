import assert from 'node:assert/strict';
import { NOON, settingsPlan } from './builders.js';
import type { Runner, Stage } from './harness.js';
import { UNSTORABLE_TEXTS, UNUSUAL_TEXT } from './hostile-text.js';
import { changesOf, write } from './settings-acts.js';

/** A value with a text as a key, in a list and deep inside. */
const holding = (text: string): unknown => ({ [text]: [text, { deep: text }] });

export function settingsValuesContract({ describe, it }: Runner, stage: Stage): void {
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
        await write(stage, { 'some.key': value });
        assert.deepEqual((await stage.backend.settings.read()).values.get('some.key'), value);
      });
    }

    it('keep the order of the keys of a value, in overrides and in changes', async () => {
      const patterns = { zeta: '/z/i', alpha: '/a/i', 'mid.dle': '/m/i', Alpha: '/A/' };
      await write(stage, { 'input_screen.patterns': patterns });
      const stored = (await stage.backend.settings.read()).values.get('input_screen.patterns');
      const [change] = await changesOf(stage);
      assert.equal(JSON.stringify(stored), JSON.stringify(patterns));
      assert.equal(JSON.stringify(change?.after), JSON.stringify(patterns));
    });

    it('keep a key called __proto__ as a key like any other', async () => {
      const value: unknown = JSON.parse('{"__proto__":{"polluted":true},"constructor":"x"}');
      await write(stage, { 'input_screen.rule_modes': value });
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
        const [{ id, ...record } = { id: 0 }] = await changesOf(stage);
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
      const applied = await write(stage, { 'some.key': list });
      list.push('second');
      (applied.values.get('some.key') as string[]).push('third');
      ((await stage.backend.settings.read()).values.get('some.key') as string[]).push('fourth');
      assert.deepEqual((await stage.backend.settings.read()).values.get('some.key'), ['first']);
    });
  });
}
