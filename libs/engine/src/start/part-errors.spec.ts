import { describe, expect, it } from '@jest/globals';
import type { Detector } from '#contracts/output/output.js';
import type { Screener } from '#contracts/screening/screening.js';
import { partErrors, type Parts } from './part-errors.js';

const screener = (id: string) => ({ id, screen: () => null }) as unknown as Screener;
const detector = (name: string) =>
  ({ name, find: () => [], kind: 'pii_redaction', placeholder: '[x]' }) as unknown as Detector;

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

  it.each([
    [
      { detectors: [{ name: 'x', kind: 'secret_redaction', find: () => [] }] },
      /^detectors: entry 0 has no placeholder/,
    ],
    [
      { detectors: [{ name: 'x', kind: 'secret', placeholder: '[x]', find: () => [] }] },
      /no kind: extend Detector/,
    ],
    [{ screeners: [null] }, /^screeners: entry 0 has no method screen/],
    [{ tools: [null] }, /^A tool has no name/],
    [{ tools: [{ name: 5 }] }, /^A tool has no name/],
    [{ stores: {} }, /^stores has no method open: pass typeormStores/],
    [{ stores: null }, /^stores has no method open: pass typeormStores/],
  ])('say what to pass instead of %j', (parts, reason) => {
    expect(partErrors(parts as unknown as Parts)).toEqual([expect.stringMatching(reason)]);
  });
});
