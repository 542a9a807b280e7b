import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { addDecimals, decimalText, isMore, isSummable } from './decimals.js';

describe('decimals', () => {
  it.each([
    [0, '0'],
    [-0, '0'],
    [0.1, '0.1'],
    [25, '25'],
    [1e21, '1000000000000000000000'],
    [1.5e22, '15000000000000000000000'],
    [1e-7, '0.0000001'],
    [1.25e-7, '0.000000125'],
    [123.456, '123.456'],
  ])('%p is %s', (value, text) => expect(decimalText(value)).toBe(text));

  it('have the value of the number that they represent', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, noNaN: true, noDefaultInfinity: true }), (value) => {
        expect(decimalText(value)).toMatch(/^[0-9]+(?:\.[0-9]+)?$/);
        expect(Number(decimalText(value))).toBe(value === 0 ? 0 : value);
      }),
    );
  });

  it.each([-1, Number.NaN, Infinity, '5', null, 5n])('do not include %p, which cannot be summed', (value) => {
    expect(isSummable(value)).toBe(false);
  });

  it('are added and compared exactly', () => {
    expect(addDecimals('0.1', '0.2')).toBe('0.3');
    expect(addDecimals('12.50', '0.5')).toBe('13');
    expect([isMore('0.3', '0.30'), isMore('0.31', '0.3'), isMore('2', '10')]).toEqual([false, true, false]);
    fc.assert(
      fc.property(fc.nat(), fc.nat(), (one, other) => {
        expect(addDecimals(decimalText(one / 100), decimalText(other / 100))).toBe(
          decimalText((one + other) / 100),
        );
        expect(isMore(String(one), String(other))).toBe(one > other);
      }),
    );
  });
});
