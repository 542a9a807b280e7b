import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { RE2JS } from 're2js';
import { runToEnd } from '../shared/resumable.js';
import { LinearRegex } from './linear-regex.js';
import { PatternSet } from './pattern-set.js';
import { foldedUnit, isFoldable } from './unit-folding.js';

const search = (patterns: readonly string[], text: string) => {
  const set = PatternSet.of(patterns.map((pattern) => LinearRegex.compile(pattern)));
  const found = runToEnd(set.search(text));
  return patterns.map((_, number) => found.get(number) ?? []);
};

const word = fc.constantFrom(
  'ignore',
  'forget',
  'rules',
  'Rule',
  'kelvin',
  'straße',
  'σας',
  '忽略',
  'I am',
  '<|',
  'é',
  '😀',
);

const atom = fc.oneof(
  { weight: 6, arbitrary: word },
  {
    weight: 4,
    arbitrary: fc.constantFrom(
      '\\b',
      '\\B',
      '^',
      '$',
      '\\w',
      '\\s',
      '.',
      '[^a]',
      '[sz]',
      '[a-e]',
      '[\\W_]{0,4}',
      '\\p{L}',
      '\\d',
    ),
  },
);

const isAssertion = (source: string): boolean => ['\\b', '\\B', '^', '$'].includes(source);

/** Patterns similar to rules: alternatives of words, gaps, options, and sometimes something hostile. */
const pattern = fc
  .letrec<{ piece: string; branch: string; source: string }>((tie) => ({
    piece: fc.oneof(
      { maxDepth: 3 },
      atom,
      fc
        .tuple(atom, fc.constantFrom('?', '+', '*', '{0,3}', '{2,3}?', '{1,70}'))
        .map(([one, times]) => (isAssertion(one) ? one : `(?:${one})${times}`)),
      fc
        .tuple(tie('source'), fc.constantFrom('', '', '?', '{1,2}', '{0,2}?', '+'))
        .map(([inside, times]) => `(?:${inside})${times}`),
    ),
    branch: fc.array(tie('piece'), { minLength: 1, maxLength: 4 }).map((pieces) => pieces.join('')),
    source: fc.array(tie('branch'), { minLength: 1, maxLength: 3 }).map((branches) => branches.join('|')),
  }))
  .source.chain((source) => fc.constantFrom('iu', 'u', 'imu', 'isu').map((flags) => `/${source}/${flags}`))
  .filter(compiles);

function compiles(source: string): boolean {
  try {
    LinearRegex.compile(source);
    return true;
  } catch {
    return false;
  }
}

const filler = fc.constantFrom(' ', 'a', 'x', '-', '\n', '😀', '\uD83D', 'K', 'ſ', 'Σ', 'ς', 'IGNORE', '7');

const text = fc
  .array(
    fc.oneof(
      { weight: 3, arbitrary: word },
      { weight: 5, arbitrary: filler },
      // Long filler text moves related words into different blocks.
      {
        weight: 1,
        arbitrary: fc
          .tuple(filler, fc.integer({ min: 200, max: 4200 }))
          .map(([one, times]) => one.repeat(times)),
      },
    ),
    { maxLength: 24 },
  )
  .map((parts) => parts.join(''));

describe('PatternSet', () => {
  it('finds the same as each pattern alone', () => {
    fc.assert(
      fc.property(fc.array(pattern, { minLength: 1, maxLength: 4 }), text, (patterns, subject) => {
        expect(search(patterns, subject)).toEqual(
          patterns.map((one) => LinearRegex.compile(one).spans(subject)),
        );
      }),
      { numRuns: 40 },
    );
  });

  it.each([
    [
      'across the edge of a part',
      '/ignore.{0,40}rules/i',
      `${'x'.repeat(4080)}ignore all of the rules${'x'.repeat(9000)}`,
    ],
    ['behind a long word', '/ignore\\w+rules/i', `ignore${'x'.repeat(20_000)}rules ${' '.repeat(5000)}`],
    ['at the very end', '/rules$/', `${'rules '.repeat(3000)}rules`],
    ['not at the end of a part', '/rules$/', `${'rules '.repeat(3000)} `],
    [
      'a required word far from the beginning',
      '/b[^]{0,900}(?:(?:ignore|forget)\\w{1,3}x)/',
      `${'-'.repeat(600)}b${'-'.repeat(800)}ignoresx${'-'.repeat(2000)}`,
    ],
    [
      'at the edge of a block while something else is under way',
      '/start[^]*end|ignore/',
      `end start ${'-'.repeat(1270)}ignore${'-'.repeat(2000)}`,
    ],
    ['behind a pair at the edge of a block', '/[^x]rules/', `${'x'.repeat(1023)}😀rules${'x'.repeat(2000)}`],
    [
      'no half of a pair at the edge of a block',
      '/[\\uDE00]-{0,600}rules/',
      `${'x'.repeat(1023)}😀${'-'.repeat(500)}rules`,
    ],
    ['beside a half of a pair', '/[^x]rules/', `${'x'.repeat(4095)}😀rules${'x'.repeat(5000)}`],
  ])('finds %s', (_, one, subject) => {
    expect(search([one], subject)).toEqual([LinearRegex.compile(one).spans(subject)]);
  });

  it('pauses in a long text with many matches', () => {
    const set = PatternSet.of([
      LinearRegex.compile('/ignore[^.]{0,80}rules/i'),
      LinearRegex.compile('/[ab]{3}/'),
    ]);
    let pauses = 0;
    const work = set.search('ignore the ignorance, '.repeat(20_000));
    while (work.next().done !== true) pauses += 1;
    expect(pauses).toBeGreaterThan(50);
  });
});

describe('foldedUnit', () => {
  it('is equal for all letters that the linear engine treats as equal', () => {
    const units = Array.from({ length: 0x10000 }, (_, unit) => unit).filter((unit) => {
      const letter = String.fromCharCode(unit);
      return letter.toLowerCase() !== letter || letter.toUpperCase() !== letter;
    });
    const letters = units.filter(isFoldable).map((unit) => String.fromCharCode(unit));
    const everything = units.map((unit) => String.fromCharCode(unit)).join('');
    for (const letter of letters) {
      const matcher = RE2JS.compile(RE2JS.quote(letter), RE2JS.CASE_INSENSITIVE).matcher(everything);
      while (matcher.find()) {
        expect([letter, foldedUnit(everything.charCodeAt(matcher.start()))]).toEqual([
          letter,
          foldedUnit(letter.charCodeAt(0)),
        ]);
      }
    }
  });
});
