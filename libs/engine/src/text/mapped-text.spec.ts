import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { MappedText, MappedTextBuilder, type Edit } from './mapped-text.js';

/** The original unit of each unit of a text, `null` for one that an edit wrote. */
interface Model {
  readonly units: readonly (readonly [unit: string, source: number | null])[];
}

const LETTERS = 'abcdefghij';
const original = (start: number, length: number): string =>
  Array.from({ length }, (_, at) => LETTERS[(start + at) % LETTERS.length]).join('');

const step = fc.oneof(
  fc.record({ kind: fc.constant('append' as const), length: fc.nat(12) }),
  fc.record({
    kind: fc.constant('edit' as const),
    places: fc.array(fc.nat(40), { maxLength: 6 }),
    replacement: fc.constantFrom('', 'X', 'YY', 'ZZZZZ'),
  }),
  fc.record({ kind: fc.constant('from' as const), place: fc.nat(20) }),
);

function editsAt(places: readonly number[], length: number, replacement: string): readonly Edit[] {
  const ends = [...new Set(places.filter((place) => place <= length))].toSorted((one, other) => one - other);
  return Array.from({ length: ends.length >> 1 }, (_, at) => ({
    span: [ends[2 * at] ?? 0, ends[2 * at + 1] ?? 0] as const,
    replacement,
  }));
}

describe('a text with positions', () => {
  it('knows the place of every unit after any sequence of appends, edits and releases', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
        let text = MappedText.of('');
        let units: Model['units'] = [];
        let read = 0;
        for (const one of steps) {
          if (one.kind === 'append') {
            const more = original(read, one.length);
            units = [...units, ...Array.from(more, (unit, at): [string, number] => [unit, read + at])];
            read += one.length;
            text = text.append(more);
          } else if (one.kind === 'from') {
            const place = Math.min(one.place, units.length);
            units = units.slice(place);
            text = text.from(place);
          } else {
            const edits = editsAt(one.places, units.length, one.replacement);
            for (const { span, replacement } of edits.toReversed())
              units = [
                ...units.slice(0, span[0]),
                ...Array.from(replacement, (unit): [string, null] => [unit, null]),
                ...units.slice(span[1]),
              ];
            text = text.edited(edits);
          }
        }
        expect(text.text).toBe(units.map(([unit]) => unit).join(''));
        expect(text.originalEnd).toBe(read);
        for (const [place, [, source]] of units.entries()) {
          if (source === null) continue;
          expect(text.toOriginal([place, place + 1])).toEqual([source, source + 1]);
          expect(text.placeOf([source, source + 1])).toEqual([place, place + 1]);
          expect(text.from(place).originalStart(0)).toBe(source);
          expect(text.until(place).originalEnd).toBe(source);
        }
        for (const half of [0, units.length >> 1, units.length]) {
          const joined = MappedText.joined([text.until(half), text.from(half)]);
          expect(joined.text).toBe(text.text);
          for (const [place] of units.entries())
            expect(joined.toOriginal([place, place + 1])).toEqual(text.toOriginal([place, place + 1]));
        }
      }),
      { numRuns: 400 },
    );
  });

  it('gives the edits of the original that lead to it', () => {
    const edited = MappedText.of('one two three').edited([
      { span: [0, 3], replacement: '1' },
      { span: [8, 13], replacement: '[number]' },
    ]);
    expect(edited.text).toBe('1 two [number]');
    expect(edited.edits).toEqual([
      { span: [0, 3], replacement: '1' },
      { span: [8, 13], replacement: '[number]' },
    ]);
    expect(edited.partBefore(9)).toBe(6);
    expect(edited.placeOf([4, 7])).toEqual([2, 5]);
  });

  it('covers all ranges of a span whose parts are in another order, also through a second form', () => {
    const source = 'abcdef';
    const reversed = new MappedTextBuilder(source.length);
    for (let at = source.length; at > 0; at--) reversed.push(source.charAt(at - 1), at - 1, at);
    const inner = new MappedTextBuilder(source.length);
    inner.copy('fedcba', 0, 2);
    inner.push('<d>', 2, 3);
    inner.copy('fedcba', 3, 6);
    const form = inner.build().through(reversed.build());
    expect(form.text).toBe('fe<d>cba');
    expect(form.toOriginal([1, 6])).toEqual([2, 5]);
    expect(form.toOriginal([2, 4])).toEqual([3, 4]);
    expect(form.toOriginal([5, 8])).toEqual([0, 3]);
  });
});
