import { describe, expect, it } from '@jest/globals';
import { Parameters } from './parameters.js';

describe('parameters', () => {
  it('leave numbered placeholders, and scrub texts', () => {
    const parameters = new Parameters();
    expect([parameters.add(1), parameters.text('a\u0000b'), parameters.text(null)]).toEqual([
      '$1',
      '$2',
      '$3',
    ]);
    expect(parameters.values).toEqual([1, 'a\uFFFDb', null]);
  });

  it.each([
    ['-000043-03-15T00:00:00.000Z', '0001-01-01T00:00:00.000Z'],
    ['+275760-09-13T00:00:00.000Z', '9999-12-31T23:59:59.999Z'],
    ['2026-03-10T12:00:00.001Z', '2026-03-10T12:00:00.001Z'],
  ])('bring the time %s to %s', (given, kept) => {
    const parameters = new Parameters();
    parameters.time(new Date(given));
    expect(parameters.values).toEqual([new Date(kept)]);
  });
});
