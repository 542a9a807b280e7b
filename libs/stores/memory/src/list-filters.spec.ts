import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { literalSearch } from './list-filters.js';

const ascii = fc.string({ unit: 'grapheme-ascii' });
const any = fc.string({ unit: 'grapheme' });

describe('literalSearch', () => {
  it('finds every text in a longer text that contains it', () => {
    fc.assert(fc.property(any, any, any, (before, q, after) => literalSearch(q)(before + q + after)));
  });

  it('finds an ASCII text in either case', () => {
    fc.assert(
      fc.property(ascii, (q) => literalSearch(q.toUpperCase())(q) && literalSearch(q.toLowerCase())(q)),
    );
  });

  it('does not match ASCII letters with similar letters such as the Kelvin sign', () => {
    expect(literalSearch('k')('\u212A')).toBe(false);
    expect(literalSearch('i')('\u0130')).toBe(false);
    expect(literalSearch('e')('é')).toBe(false);
  });
});
