import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { LinearRegex } from '../patterns/linear-regex.js';
import { BLOCK_BITS } from '../patterns/match-starts.js';
import { runToEnd } from '../resumable.js';
import { differences } from './matching.js';
import { MappedTextBuilder, unmapped, type MappedText } from './mapped-text.js';

/** `text` with each `[[x|y]]` replaced with `y`, mapped to the text with `x` instead. */
function readings(template: string): { readonly known: MappedText; readonly other: MappedText } {
  const original = template.replaceAll(/\[\[(.*?)\|.*?\]\]/g, '$1');
  const builder = new MappedTextBuilder(original.length);
  let at = 0;
  let copied = 0;
  for (const match of template.matchAll(/\[\[(?<was>.*?)\|(?<is>.*?)\]\]/g)) {
    const { was = '', is = '' } = match.groups ?? {};
    const before = match.index - copied;
    builder.copy(original, at, at + before);
    builder.push(is, at + before, at + before + was.length);
    at += before + was.length;
    copied = match.index + match[0].length;
  }
  builder.copy(original, at, original.length);
  return { known: unmapped(original), other: builder.build() };
}

const spansOf = (pattern: string, text: MappedText) => LinearRegex.compile(pattern).spans(text.text);

describe('differences', () => {
  it('include the start of every match that exists in only one text', () => {
    const piece = fc.oneof(
      fc.constantFrom('ab', 'abc ', 'b', '[[x|a]]', '[[1|b]]', '[[ab|]]', '[[a|bb]]', '[[bab|a]]'),
      fc
        .tuple(fc.constantFrom('x', 'a', 'c '), fc.integer({ min: 1, max: 1000 }))
        .map(([one, times]) => one.repeat(times)),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const { known, other } = readings(pieces.join(''));
        const within = runToEnd(differences(other, known));
        const regex = LinearRegex.compile('/ab+c?|b{2}/');
        const knownTexts = new Set(
          regex.spans(known.text).map(([start, end]) => known.toOriginal([start, end]).join()),
        );
        const found = runToEnd(regex.search(other.text, within)).map((span) => other.toOriginal(span).join());
        for (const span of spansOf('/ab+c?|b{2}/', other)) {
          const original = other.toOriginal(span).join();
          if (!knownTexts.has(original) && knownTexts.size < 16) expect(found).toContain(original);
        }
      }),
      { numRuns: 300 },
    );
  });

  it('cover little if little differs', () => {
    const { known, other } = readings(`${'word '.repeat(20_000)}[[1gnore|ignore]]${' word'.repeat(20_000)}`);
    const within = runToEnd(differences(other, known));
    const blocks = Array.from({ length: other.text.length >> BLOCK_BITS }, (_, block) => within.has(block));
    expect(blocks.filter(Boolean).length).toBeLessThan(50);
    expect(runToEnd(LinearRegex.compile('/ignore word/').search(other.text, within))).toHaveLength(1);
  });

  it('cover everything if everything differs', () => {
    const { known, other } = readings('[[a|b]]'.repeat(60_000));
    const within = runToEnd(differences(other, known));
    expect(within.has(0) && within.has(100)).toBe(true);
  });
});
