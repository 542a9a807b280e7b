import { describe, expect, it } from '@jest/globals';
import { RegExpParser } from '@eslint-community/regexpp';
import * as fc from 'fast-check';
import { lengthOf, longestRuns, NO_LENGTH, plus, unitsIn, type MatchLength } from './match-length.js';

function lengthOfPattern(source: string): MatchLength {
  const { alternatives } = new RegExpParser().parsePattern(source, 0, source.length, { unicode: true });
  const [first] = alternatives;
  return (first?.elements ?? []).map(lengthOf).reduce(plus, NO_LENGTH);
}

describe('lengthOf', () => {
  it.each<[string, MatchLength]>([
    ['abc', [3, 0, 0, 0]],
    ['(?:ab|cdefg)x?', [6, 0, 0, 0]],
    ['\\w+', [0, 1, 0, 0]],
    ['\\p{L}*', [0, 1, 0, 0]],
    ['\\S+', [0, 0, 1, 0]],
    ["[\\w'-]+", [0, 0, 1, 0]],
    ['[^.!?]*', [0, 0, 0, 1]],
    ['(?:\\w+ ){0,6}', [6, 6, 0, 0]],
    ['(?:now |going to be )*', [0, 0, 0, 1]],
    ['.*', [Infinity, 0, 0, 0]],
    ['[^]*', [Infinity, 0, 0, 0]],
    ['(?:\\w+\\. )*', [Infinity, 0, 0, 0]],
  ])('returns for %s %p', (source, length) => {
    expect(lengthOfPattern(source)).toEqual(length);
  });

  it('limits the length of every match', () => {
    const part = fc.constantFrom(
      'a', '\\w+', '\\S*', '[^.!?]+', '\\s', '\\s+', '(?:\\w+ ){0,3}', '[ab]{2,4}', '(?: now| a)*', '\\p{L}+', '[^\\s.]+', 'é|ß+', '😀*',
    ); // prettier-ignore
    const text = fc
      .array(
        fc.constantFrom('a', 'b', ' ', ' ', '.', '!', '\n', 'now', 'é', 'ß', '😀', '\u3000', '\ufeff', '_', "'", '漢', '\u0301'),
        { maxLength: 60 },
      )
      .map((texts) => texts.join('')); // prettier-ignore
    fc.assert(
      fc.property(fc.array(part, { minLength: 1, maxLength: 5 }), text, (parts, subject) => {
        const source = parts.map((each) => `(?:${each})`).join('');
        const limit = unitsIn(lengthOfPattern(source), longestRuns(subject));
        for (const [match] of subject.matchAll(new RegExp(source, 'giu')))
          expect(match.length).toBeLessThanOrEqual(limit);
      }),
    );
  });
});

describe('longestRuns', () => {
  it.each<[string, readonly number[]]>([
    ['', [0, 0, 0]],
    ['one three. Five', [5, 6, 9]],
    ["it's https://a.example/b", [7, 19, 14]],
    ['日本語　テスト', [3, 3, 7]],
  ])('returns for %j %p', (text, runs) => {
    expect(longestRuns(text)).toEqual(runs);
  });
});
