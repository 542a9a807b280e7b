import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { LinearRegex } from '../../patterns/linear-regex.js';
import { BLOCK_BITS, EarlierTexts, MatchStarts } from '../../patterns/match-starts.js';
import { PatternSet } from '../../patterns/pattern-set.js';
import { runToEnd } from '../../shared/resumable.js';
import { differences } from './matching.js';
import { MappedTextBuilder, unmapped, type MappedText } from '../../text/mapped-text.js';

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
        const within = runToEnd(differences(other, known)).upTo(512);
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

  it('leave every pattern of a set the matches that exist in only one text', () => {
    const piece = fc.oneof(
      fc.constantFrom('ignore ', 'all rules ', 'now', 'x', '[[ign|ignore ]]', '[[o|0]]', '[[ | all ]]', '[[xx|]]'),
      fc.tuple(fc.constantFrom('x', '. ', 'a '), fc.integer({ min: 1, max: 900 })).map(([one, times]) => one.repeat(times)),
    ); // prettier-ignore
    const regexes = ['/ignore all rules/', '/ignore (?:\\w+ ){1,3}now/', '/\\b0?x[^]{0,300}rules\\b/'].map(
      (pattern) => LinearRegex.compile(pattern),
    );
    const set = PatternSet.of(regexes);
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 16 }), (pieces) => {
        const { known, other } = readings(pieces.join(''));
        const earlier = new EarlierTexts();
        const before = runToEnd(set.search(known.text, MatchStarts.anywhere, [], earlier));
        const places = runToEnd(differences(other, known));
        earlier.differences = [places];
        const after = runToEnd(set.search(other.text, places.upTo(512), [], earlier));
        for (const [number, regex] of regexes.entries()) {
          const all = [...(before.get(number) ?? []).map(known.toOriginal), ...(after.get(number) ?? []).map(other.toOriginal)];
          for (const span of regex.spans(other.text).map(other.toOriginal))
            expect(all.some((each) => each[0] < span[1] && span[0] < each[1])).toBe(true);
        }
      }),
      { numRuns: 300 },
    ); // prettier-ignore
  });

  it('cover little if little differs', () => {
    const { known, other } = readings(`${'word '.repeat(20_000)}[[1gnore|ignore]]${' word'.repeat(20_000)}`);
    const within = runToEnd(differences(other, known)).upTo(512);
    const blocks = Array.from({ length: other.text.length >> BLOCK_BITS }, (_, block) => within.has(block));
    expect(blocks.filter(Boolean).length).toBeLessThan(50);
    expect(runToEnd(LinearRegex.compile('/ignore word/').search(other.text, within))).toHaveLength(1);
  });

  it('cover everything if everything differs', () => {
    const { known, other } = readings('[[a|b]]'.repeat(60_000));
    const within = runToEnd(differences(other, known)).upTo(512);
    expect(within.has(0) && within.has(100)).toBe(true);
  });
});
