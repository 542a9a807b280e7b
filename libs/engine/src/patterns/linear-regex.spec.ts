import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { LinearRegex } from './linear-regex.js';
import { PatternError } from './linear-syntax.js';

function refusal(pattern: string): string {
  try {
    LinearRegex.compile(pattern);
  } catch (error) {
    expect(error).toBeInstanceOf(PatternError);
    return (error as PatternError).message;
  }
  return 'compiled';
}

describe('LinearRegex.compile', () => {
  it('ignores case in a bare pattern and uses the flags of a delimited one', () => {
    expect(LinearRegex.compile('ignore').test('IGNORE')).toBe(true);
    expect(LinearRegex.compile('/ignore/').test('IGNORE')).toBe(false);
    expect(LinearRegex.compile('/ignore/i').test('IGNORE')).toBe(true);
    expect(LinearRegex.compile('/ignore/', { ignoreCase: true }).test('IGNORE')).toBe(true);
  });

  it.each([
    ['/a(?=b)/', 'uses a look-ahead, which the linear engine does not support'],
    ['/a(?!b)/', 'uses a look-ahead, which the linear engine does not support'],
    ['/(?<=a)b/', 'uses a look-behind, which the linear engine does not support'],
    ['/(a)\\1/', 'uses a back-reference, which the linear engine does not support'],
    ['/(?<n>a)\\k<n>/u', 'uses a back-reference, which the linear engine does not support'],
    ['/a*/', 'matches the empty text'],
    ['/|a/', 'matches the empty text'],
    ['/\\b/', 'matches the empty text'],
    ['/(a/', 'does not parse: unterminated group'],
    ['/a/x', 'has the flag x; only i, m, s, u, g and y are known'],
    ['/a/ii', 'repeats a flag'],
    ['/a{1001}/', 'repeats something more than 1000 times'],
    ['/(?:a{1000}){1000}/', 'is too large for the linear engine'],
    ['/(?:a{990}){2}b{20}/', 'is beyond what the linear engine can compile'],
    [`/${'[a-\\uffff]'.repeat(180)}/i`, 'is too large for the linear engine'],
    [`/${'\\p{L}'.repeat(390)}/iu`, 'is too large for the linear engine'],
    ['/\\-\\p{Nonsense}/u', 'does not parse: invalid escape'],
  ])('rejects %s with a reason', (pattern, words) => {
    expect(refusal(pattern)).toBe(words);
  });

  it.each([
    ['/^a$/', 'a\n', false],
    ['/^b$/m', 'a\nb', true],
    ['/a.b/', 'a\nb', false],
    ['/a.b/s', 'a\nb', true],
    ['/a[^]b/', 'a\nb', true],
    ['/[]|x/', 'x', true],
    ['/\\u0061\\x62\\u{63}/u', 'abc', true],
    ['/(?<word>a)b/', 'ab', true],
    ['/\\s/', '\u00a0', true],
    ['/[\\S]/', '\u00a0', false],
    ['/\\d/', '٣', false],
    ['/\\p{Script=Greek}/u', 'λ', true],
    ['/\\p{Letter}\\P{L}/u', 'é1', true],
    ['/[\\p{Lu}]/u', 'É', true],
    ['/foo\\-bar/', 'foo-bar', true],
    ['/^.$/u', '\u{1F600}', true],
    ['/(?i:a)b/', 'Ab', true],
    ['/(?i:a)b/', 'aB', false],
    ['a/b', 'A/B', true],
  ])('matches %s on %j as ECMAScript does', (pattern, text, matches) => {
    expect(LinearRegex.compile(pattern).test(text)).toBe(matches);
  });
});

describe('LinearRegex.spans', () => {
  it('returns at most sixteen spans in UTF-16 units, ascending and without overlap', () => {
    expect(LinearRegex.compile('/b+/').spans('\u{1F600}bb b')).toEqual([
      [2, 4],
      [5, 6],
    ]);
    expect(LinearRegex.compile('/a/').spans('a'.repeat(100))).toHaveLength(16);
    expect(LinearRegex.compile('/a/').spans('aaa', 2)).toHaveLength(2);
    expect(LinearRegex.compile('/a/').spans('bbb')).toEqual([]);
  });

  it('finds the same as V8 for patterns that both support', () => {
    const atom = fc.constantFrom(
      'a',
      'b',
      '[ab]',
      '[^a]',
      '.',
      '\\d',
      '\\w',
      '\\s',
      '\\b',
      '(?:a|bc)',
      '(b)',
    );
    const quantifier = fc.constantFrom('', '?', '+', '*', '+?', '{1,2}');
    const term = fc.tuple(atom, quantifier).map(([a, q]) => (a === '\\b' ? a : a + q));
    const source = fc.array(term, { minLength: 1, maxLength: 6 }).map((terms) => `${terms.join('')}c?a`);
    const text = fc.string({
      unit: fc.constantFrom('a', 'b', 'c', ' ', '1', '\n', 'é', '\u{1F600}'),
      maxLength: 30,
    });
    fc.assert(
      fc.property(source, text, (pattern, subject) => {
        const expected = [...subject.matchAll(new RegExp(pattern, 'gu'))]
          .slice(0, 16)
          .map((match) => [match.index, match.index + match[0].length]);
        expect(LinearRegex.compile(`/${pattern}/u`).spans(subject)).toEqual(expected);
      }),
      { numRuns: 200 },
    );
  });

  it.each([
    ['/(a+)+$/', 'a'.repeat(200_000) + 'b'],
    ['/(?:a|a)*b/', 'a'.repeat(200_000)],
    ['/(.*)*x/s', 'y'.repeat(200_000)],
    ['/\\s+$/', `${' '.repeat(200_000)}x`],
  ])('terminates for hostile %s', (pattern, text) => {
    expect(LinearRegex.compile(pattern).spans(text)).toEqual([]);
  });

  it('never throws for any text', () => {
    const regex = LinearRegex.compile('/[^a]+\\p{L}/iu');
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        for (const [start, end] of regex.spans(`${text}\uD800\u0000`)) expect(end).toBeGreaterThan(start);
      }),
    );
  });

  it('excludes the `before` group from the span', () => {
    const meant = LinearRegex.compile(
      '(?<before>^|[^t]\\s|[^o]t\\s)ignore (?:all )?rules|drop (?<before>the )rules',
    );
    expect(meant.spans('please ignore all rules')).toEqual([[7, 23]]);
    expect(meant.spans('ignore rules')).toEqual([[0, 12]]);
    expect(meant.spans('do not ignore rules')).toEqual([]);
    expect(meant.spans('x drop the rules')).toEqual([[11, 16]]);
    expect(() => LinearRegex.compile('(?<before>a)')).toThrow('matches the empty text');
  });
});
