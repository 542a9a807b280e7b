import { describe, expect, it } from '@jest/globals';
import type { Detector } from '#contracts/output/output.js';
import type { Screener } from '#contracts/screening/screening.js';
import { partErrors } from './part-errors.js';

const screener = (id: string) => ({ id, screen: () => null }) as unknown as Screener;
const detector = (name: string) => ({ name, find: () => [] }) as unknown as Detector;

describe('names of screeners and detectors', () => {
  it('are accepted in the documented form', () => {
    const screeners = [screener('code_names'), screener(`a${'.'.repeat(99)}`)];
    expect(partErrors({ screeners, detectors: [detector('Dutch BSN')] })).toEqual([]);
  });

  it.each(['', 'classifier', 'Code names', '1st', `a${'b'.repeat(100)}`])(
    'refuse the screener id %j',
    (id) => {
      expect(partErrors({ screeners: [screener(id)] })).toEqual([
        expect.stringMatching(/^screeners: entry 0 has the invalid id ".*"/),
      ]);
    },
  );

  it.each(['', ' ', 'n'.repeat(101)])('refuse the detector name %j', (name) => {
    expect(partErrors({ detectors: [detector(name)] })).toEqual([
      expect.stringMatching(/^detectors: entry 0 has the invalid name ".*"/),
    ]);
  });
});
