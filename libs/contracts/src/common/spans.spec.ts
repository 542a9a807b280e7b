import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { byteSpans, utf16Spans } from './spans.js';

const anyText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc
    .array(fc.constantFrom('a', 'é', '\u20ac', '\u{1F600}', '\uD800', '\uDC00', '\u0000'))
    .map((units) => units.join('')),
);

/** Edges between code points; Buffer has no half of a pair. */
function edgesOf(text: string): number[] {
  const edges = [0];
  for (const character of text) edges.push((edges.at(-1) ?? 0) + character.length);
  return edges;
}

describe('spans', () => {
  it('select the same text in bytes as the UTF-16 span', () => {
    fc.assert(
      fc.property(anyText, fc.nat(), fc.nat(), (text, one, other) => {
        const edges = edgesOf(text);
        const pair = [edges[one % edges.length] ?? 0, edges[other % edges.length] ?? 0] as const;
        const [start, end] = pair[0] <= pair[1] ? pair : ([pair[1], pair[0]] as const);
        const [[first, last] = [0, 0]] = byteSpans(text, [[start, end]]);
        expect(Buffer.from(text).subarray(first, last)).toEqual(Buffer.from(text.slice(start, end)));
        expect(
          byteSpans(text, [
            [start, end],
            [0, text.length],
            [0, start],
          ]),
        ).toEqual([
          [first, last],
          [0, Buffer.byteLength(text)],
          [0, first],
        ]);
        expect(
          utf16Spans(text, [
            [first, last],
            [0, 0],
          ]),
        ).toEqual([
          [start, end],
          [0, 0],
        ]);
      }),
    );
  });

  it('are an empty list for an empty list', () => {
    expect(byteSpans('text', [])).toEqual([]);
  });
});
