import { describe, expect, it } from '@jest/globals';
import type { Detector } from '#contracts/output.js';
import type { Screener } from '#contracts/screening.js';
import { assertControlNames } from './control-names.js';

const screener = (id: string): Screener => ({ id }) as Screener;
const detector = (name: string): Detector => ({ name }) as Detector;

describe('names of screeners and detectors', () => {
  it('are accepted in the documented form', () => {
    assertControlNames([screener('code_names'), screener(`a${'.'.repeat(99)}`)], [detector('Dutch BSN')]);
  });

  it.each(['', 'classifier', 'Code names', '1st', `a${'b'.repeat(100)}`])(
    'refuse the screener id %j',
    (id) => {
      expect(() => assertControlNames([screener(id)], [])).toThrow(/screeners: ".*" is not a valid id/);
    },
  );

  it.each(['', ' ', 'n'.repeat(101)])('refuse the detector name %j', (name) => {
    expect(() => assertControlNames([], [detector(name)])).toThrow(/detectors: ".*" is not a valid name/);
  });
});
