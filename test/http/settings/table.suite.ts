import { describe, expect, it } from '@jest/globals';
import { SETTING_KEYS, SETTINGS_SCHEMA } from '#contracts/settings/settings.schema.js';
import { BOOLEANS, CHOICES, EXAMPLES, INTEGERS, LISTS, LOCKED, VIEWS } from './material.js';
import { nested, valueOf, type SettingsBench } from './settings-bench.js';

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
  describe('contract 6: the table of overridable settings', () => {
    it('is the complete allow-list; all other keys are configuration only', () => {
      expect(Object.keys(EXAMPLES).toSorted()).toEqual(
        SETTING_KEYS.filter((key) => !SETTINGS_SCHEMA[key].locked).toSorted(),
      );
      expect(LOCKED.toSorted()).toEqual(SETTING_KEYS.filter((key) => SETTINGS_SCHEMA[key].locked).toSorted());
    });

    it.each(bench.some(Object.entries(EXAMPLES)))(
      '%s is set in both forms, returned, logged, and reset by null',
      async (key, value) => {
        const file = valueOf(await show(), key);
        expect(file).not.toEqual(value);
        const logged = key === 'input_screen.patterns' ? `${key}.zebra` : key;
        for (const settings of [{ [key]: value }, nested(key, value)]) {
          const { revision } = await show();
          const set = await change(settings);
          expect(valueOf(set, key)).toEqual(value);
          expect(set).toMatchObject({ overridden: [key], changed: [logged], revision: revision + 1 });
          const { changed: _, ...shown } = set;
          expect(await show()).toEqual(shown);
          const back = await change({ [key]: null });
          expect(valueOf(back, key)).toEqual(file);
          expect(back).toMatchObject({ overridden: [], changed: [logged], revision: revision + 2 });
          expect((await log('?limit=2')).map((entry) => entry.key)).toEqual([logged, logged]);
        }
      },
    );

    it.each(bench.some(BOOLEANS))('%s accepts only true, false, 1, 0 and those in strings', async (key) => {
      for (const raw of [true, 1, 'true', '1']) expect(valueOf(await change({ [key]: raw }), key)).toBe(true);
      for (const raw of [false, 0, 'false', '0'])
        expect(valueOf(await change({ [key]: raw }), key)).toBe(false);
      await change({ [key]: null });
      published.length = 0;
      for (const raw of ['yes', 'on', 'TRUE', 'True', '', ' true', 2, -1, 0.5, [], [true], {}, 'null']) {
        const code = typeof raw === 'object' && !Array.isArray(raw) ? /./ : /^invalid_settings$/;
        const answer = await put({ [key]: raw });
        expect([answer.status, answer.body.data.error.code]).toEqual([422, expect.stringMatching(code)]);
      }
      await refused({ [key]: 'maybe' }, 'invalid_settings', [key]);
    });

    it.each(bench.some(Object.entries(CHOICES)))(
      '%s accepts only its exact choices',
      async (key, choices) => {
        for (const choice of choices) expect(valueOf(await change({ [key]: choice }), key)).toBe(choice);
        await change({ [key]: null });
        published.length = 0;
        await refusedEach(key, ['ENFORCE', ' off', '', 'nonsense', 0, 1, true, false, [], [choices[0]], {}]);
      },
    );

    it.each(Object.entries(INTEGERS))(
      '%s accepts only an integer or its digits, from %p',
      async (key, minimum) => {
        for (const [raw, value] of [
          [7, 7],
          ['7', 7],
          [minimum, minimum],
          [String(minimum), minimum],
          [1e3, 1000],
          [Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER],
        ]) {
          expect(valueOf(await change({ [key]: raw }), key)).toBe(value);
        }
        await change({ [key]: null });
        published.length = 0;
        const bad = [minimum - 1, 1.5, '1.5', '1e3', '0x10', '', ' 7', '+7', '07', true, [7], {}, 2 ** 53];
        await refusedEach(key, bad);
      },
    );

    it.each(LISTS)('%s accepts a list of non-empty texts, and replaces it as a whole', async (key) => {
      const most = Array.from({ length: 200 }, (_, index) => `${index}`.padStart(200, 'x'));
      for (const raw of [[], ['a', 'b'], most])
        expect(valueOf(await change({ [key]: raw }), key)).toEqual(raw);
      await change({ [key]: null });
      published.length = 0;
      await refusedEach(key, [
        'a,b',
        'a',
        [''],
        ['  '],
        [1],
        [null],
        [['a']],
        ['y'.repeat(201)],
        [...most, 'z'],
        {},
        1,
      ]);
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
