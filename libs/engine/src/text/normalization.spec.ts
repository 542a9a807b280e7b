import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { DEFAULT_SETTINGS, Settings } from '#contracts/settings/settings.js';
import type { SettingValues } from '#contracts/settings/settings.schema.js';
import { runToEnd } from '../shared/resumable.js';
import { NO_NORMALIZATION, normalizationOptions, type NormalizationOptions } from './character-folding.js';
import { normalize as resumable } from './normalization.js';

const settings = (values: Partial<SettingValues> = {}) => new Settings({ ...DEFAULT_SETTINGS, ...values });

const normalize = (text: string, given: Settings) => normalizeWith(text, normalizationOptions(given));

const normalizeWith = (text: string, options: NormalizationOptions) => runToEnd(resumable(text, options));

const only = (values: Partial<NormalizationOptions>) => ({ ...NO_NORMALIZATION, ...values });

/** Random Unicode with many characters that normalization changes: stacked marks, jamo, invisible characters, right-to-left, emoji. */
const anyText = fc
  .array(
    fc.oneof(
      { weight: 4, arbitrary: fc.string({ unit: 'binary', maxLength: 4 }) },
      {
        weight: 6,
        arbitrary: fc.constantFrom(
          'a',
          'I',
          'H',
          ' ',
          '  ',
          '\n',
          '\u00a0',
          'é',
          'e\u0301',
          '\u0331',
          '\u0327\u0323',
          'ﬁ',
          'Ａ',
          'ｶ',
          'ﾞ',
          'ᄀ',
          'ᅡ',
          'ᆨ',
          '가',
          'ㅏ',
          'ㄱ',
          '\uFFA1',
          '\u3164',
          '\u200b',
          '\u00ad',
          '\uFE0F',
          '\u{E0041}',
          '\u202e',
          'שלום',
          'السلام',
          '\u{1F468}\u200d\u{1F469}',
          'İ',
          'Σ',
          'ς',
          'а',
          'о',
          '\uD800',
          '\uDC00',
          '\u0000',
          '\u0085',
        ),
      },
      { weight: 1, arbitrary: fc.nat(80).map((height) => `e${'\u0301\u0316'.repeat(height)}`) },
    ),
    { maxLength: 20 },
  )
  .map((parts) => parts.join(''));

const anyOptions = fc.record({
  nfkc: fc.boolean(),
  stripInvisible: fc.boolean(),
  foldCase: fc.boolean(),
  collapseWhiteSpace: fc.boolean(),
  foldConfusables: fc.boolean(),
});

describe('normalization', () => {
  it.each([
    ['ignore', 'ignore', []],
    ['Ignore  ALL\r\nrules', 'ignore all rules', ['casefold', 'whitespace']],
    ['ｉｇｎｏｒｅ', 'ignore', ['nfkc']],
    ['ig\u200bno\u00adre\u{E0041}', 'ignore', ['strip_zero_width']],
    ['іgnоrе', 'ignore', ['fold_confusables']],
    ['ígnöre', 'ignore', ['fold_confusables']],
    ['i\u0337g\u0337nore', 'ignore', ['fold_confusables']],
    ['𝐈gnore', 'ignore', ['nfkc', 'casefold']],
    ['a\u0000b\u0085c', 'ab c', ['strip_zero_width', 'whitespace']],
  ])('normalizes %j to %j', (text, expected, steps) => {
    const normalized = normalize(text, settings());
    expect(normalized.text).toBe(expected);
    expect(normalized.steps).toEqual(steps);
  });

  it('changes nothing if it is disabled', () => {
    const off = settings({ 'normalization.enabled': false });
    fc.assert(
      fc.property(anyText, (text) => {
        expect(normalize(text, off).text).toBe(text);
        expect(normalize(text, off).steps).toEqual([]);
      }),
    );
  });

  it('applies each step separately', () => {
    const text = 'Ａ\u200b  а';
    expect(normalizeWith(text, only({ nfkc: true })).text).toBe('A\u200b  а');
    expect(normalizeWith(text, only({ stripInvisible: true })).text).toBe('Ａ  а');
    expect(normalizeWith(text, only({ foldCase: true })).text).toBe('ａ\u200b  а');
    expect(normalizeWith(text, only({ collapseWhiteSpace: true })).text).toBe('Ａ\u200b а');
    expect(normalizeWith(text, only({ foldConfusables: true })).text).toBe('Ａ\u200b  a');
  });

  it('composes clusters like the whole text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 40 }), (text) => {
        expect(normalizeWith(text, only({ nfkc: true })).text).toBe(text.normalize('NFKC'));
      }),
      { numRuns: 400 },
    );
  });

  it('is idempotent', () => {
    fc.assert(
      fc.property(anyText, anyOptions, (text, options) => {
        const once = normalizeWith(text, options);
        const twice = normalizeWith(once.text, options);
        expect(twice.text).toBe(once.text);
        expect(twice.steps).toEqual([]);
        if (once.steps.length === 0) expect(once.text).toBe(text);
      }),
      { numRuns: 400 },
    );
  });

  it('maps every span back to its source in the original', () => {
    fc.assert(
      fc.property(anyText, anyOptions, (text, options) => {
        const { text: normalized, toOriginal } = normalizeWith(text, options);
        const edges = Array.from(normalized.split(''), (_, index) => toOriginal([index, index + 1]));
        expect(edges.filter(([start, end]) => start < 0 || end <= start || end > text.length)).toEqual([]);
        expect(edges.toSorted(([start], [otherStart]) => start - otherStart)).toEqual(edges);
        if (normalized !== '') {
          const [start, end] = toOriginal([0, normalized.length]);
          expect(normalizeWith(text.slice(start, end), options).text).toBe(normalized);
        }
      }),
      { numRuns: 200 },
    );
  });

  it('accepts a text of stacked marks only', () => {
    const tower = `e${'\u0301\u0316'.repeat(100_000)}x`;
    const { text, toOriginal } = normalize(tower, settings({ 'normalization.fold_confusables': false }));
    expect(text.length).toBeLessThan(40);
    expect(toOriginal([text.length - 1, text.length])).toEqual([tower.length - 1, tower.length]);
  });
});
