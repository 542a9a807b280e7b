import { describe, expect } from '@jest/globals';
import { SETTING_KEYS, SETTINGS_SCHEMA } from '#contracts/settings/settings.schema.js';
import { BOOLEANS, CHOICES, EXAMPLES, INTEGERS, LISTS, LOCKED, VIEWS } from './material.js';
import { valueOf, type SettingsBench } from './settings-bench.js';

const each = (keys: readonly string[], value: unknown): object =>
  Object.fromEntries(keys.map((key) => [key, value]));

/** `{ 'a.b': 1, 'a.c': 2 }` as `{ a: { b: 1, c: 2 } }`. */
function allNested(values: Readonly<Record<string, unknown>>): object {
  const groups: Record<string, Record<string, unknown>> = {};
  for (const [key, value] of Object.entries(values)) {
    const [group = '', name = ''] = key.split('.');
    (groups[group] ??= {})[name] = value;
  }
  return groups;
}

export function describeTable({
  bench,
  published,
  show,
  put,
  change,
  log,
  refused,
  refusedEach,
}: SettingsBench): void {
  const { it, itOnEachStore } = bench;

  const reset = async (keys: readonly string[]): Promise<void> => {
    await change(each(keys, null));
    published.length = 0;
  };

  describe('contract 6: the table of overridable settings', () => {
    it('is the complete allow-list; all other keys are configuration only', () => {
      expect(Object.keys(EXAMPLES).toSorted()).toEqual(
        SETTING_KEYS.filter((key) => !SETTINGS_SCHEMA[key].locked).toSorted(),
      );
      expect(LOCKED.toSorted()).toEqual(SETTING_KEYS.filter((key) => SETTINGS_SCHEMA[key].locked).toSorted());
    });

    it.each(Object.entries(EXAMPLES))(
      '%s is set, returned, logged, and reset by null',
      async (key, value) => {
        const file = valueOf(await show(), key);
        expect(file).not.toEqual(value);
        const logged = key === 'input_screen.patterns' ? `${key}.zebra` : key;
        const { revision } = await show();
        const set = await change({ [key]: value });
        expect(valueOf(set, key)).toEqual(value);
        expect(set).toMatchObject({ overridden: [key], changed: [logged], revision: revision + 1 });
        const { changed: _, ...shown } = set;
        expect(await show()).toEqual(shown);
        const back = await change({ [key]: null });
        expect(valueOf(back, key)).toEqual(file);
        expect(back).toMatchObject({ overridden: [], changed: [logged], revision: revision + 2 });
        expect((await log('?limit=2')).map((entry) => entry.key)).toEqual([logged, logged]);
      },
    );

    itOnEachStore('all of them are set by one nested body', async () => {
      const set = await change(allNested(EXAMPLES));
      expect(set.overridden).toEqual(Object.keys(EXAMPLES).toSorted());
      for (const [key, value] of Object.entries(EXAMPLES)) expect(valueOf(set, key)).toEqual(value);
    });

    it('switches accept only true, false, 1, 0 and those in strings', async () => {
      for (const [raws, value] of [
        [[true, 1, 'true', '1'], true],
        [[false, 0, 'false', '0'], false],
      ] as const) {
        for (const raw of raws) {
          const set = await change(each(BOOLEANS, raw));
          expect(BOOLEANS.filter((key) => valueOf(set, key) !== value)).toEqual([]);
        }
      }
      await reset(BOOLEANS);
      for (const raw of ['yes', 'on', 'TRUE', 'True', '', ' true', 2, -1, 0.5, [], [true], 'null', 'maybe'])
        await refused(each(BOOLEANS, raw), 'invalid_settings', BOOLEANS);
      for (const key of BOOLEANS) expect((await put({ [key]: {} })).status).toBe(422);
    });

    it('settings with choices accept only their exact choices', async () => {
      const keys = Object.keys(CHOICES);
      for (let index = 0; index < 3; index++) {
        const chosen = Object.fromEntries(
          Object.entries(CHOICES).map(([key, choices]) => [key, choices[index % choices.length]]),
        );
        const set = await change(chosen);
        for (const [key, choice] of Object.entries(chosen)) expect(valueOf(set, key)).toBe(choice);
      }
      await reset(keys);
      for (const bad of ['ENFORCE', ' off', '', 'nonsense', 0, 1, true, false, []])
        await refused(each(keys, bad), 'invalid_settings', keys);
      for (const [key, [choice]] of Object.entries(CHOICES)) await refusedEach(key, [[choice], {}]);
    });

    it('integers accept only an integer or its digits, from their minimum', async () => {
      const keys = Object.keys(INTEGERS);
      for (const [raw, value] of [
        [7, 7],
        ['7', 7],
        [1e3, 1000],
        [Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER],
      ]) {
        const set = await change(each(keys, raw));
        expect(keys.map((key) => valueOf(set, key))).toEqual(keys.map(() => value));
      }
      const lowest = await change(INTEGERS);
      for (const [key, minimum] of Object.entries(INTEGERS)) expect(valueOf(lowest, key)).toBe(minimum);
      const written = await change(
        Object.fromEntries(Object.entries(INTEGERS).map(([key, minimum]) => [key, String(minimum)])),
      );
      for (const [key, minimum] of Object.entries(INTEGERS)) expect(valueOf(written, key)).toBe(minimum);
      await reset(keys);
      for (const bad of [1.5, '1.5', '1e3', '0x10', '', ' 7', '+7', '07', true, [7], 2 ** 53])
        await refused(each(keys, bad), 'invalid_settings', keys);
      for (const [key, minimum] of Object.entries(INTEGERS)) await refusedEach(key, [minimum - 1, {}]);
    });

    it('lists accept non-empty texts, and are replaced as a whole', async () => {
      const most = Array.from({ length: 200 }, (_, index) => `${index}`.padStart(200, 'x'));
      for (const raw of [[], ['a', 'b'], most]) {
        const set = await change(each(LISTS, raw));
        for (const key of LISTS) expect(valueOf(set, key)).toEqual(raw);
      }
      await reset(LISTS);
      for (const bad of [
        'a,b',
        'a',
        [''],
        ['  '],
        [1],
        [null],
        [['a']],
        ['y'.repeat(201)],
        [...most, 'z'],
        1,
      ])
        await refused(each(LISTS, bad), 'invalid_settings', LISTS);
      for (const key of LISTS) await refusedEach(key, [{}]);
    });

    it('normalization.decode_views accepts only known views', async () => {
      const key = 'normalization.decode_views';
      for (const raw of [[], VIEWS, ['rot13']])
        expect(valueOf(await change({ [key]: raw }), key)).toEqual(raw);
      await change({ [key]: null });
      published.length = 0;
      await refusedEach(key, ['hex', ['morse'], [1], {}]);
    });

    it('input_screen.refusal_message accepts a text of at most 2000 characters', async () => {
      const key = 'input_screen.refusal_message';
      expect(valueOf(await change({ [key]: 'x'.repeat(2000) }), key)).toBe('x'.repeat(2000));
      await change({ [key]: null });
      published.length = 0;
      await refusedEach(key, ['x'.repeat(2001), '', ' ', 7, true, ['x'], {}]);
    });
  });
}
