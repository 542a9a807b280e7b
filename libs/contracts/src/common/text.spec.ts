import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { closestName, previewOf, scrubText, takeCodePoints } from './text.js';

const anyText = fc.string({ unit: 'binary' }).map((text) => text + '\uD800\u0000');

describe('text', () => {
  it('is scrubbed of characters that cannot be stored, and keeps its length', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const scrubbed = scrubText(text);
        expect(scrubbed.isWellFormed()).toBe(true);
        expect(scrubbed).not.toContain('\u0000');
        expect(scrubbed).toHaveLength(text.length);
        expect(scrubText(scrubbed)).toBe(scrubbed);
      }),
    );
    expect(scrubText('a\uD800b\u0000c😀')).toBe('a\uFFFDb\uFFFDc😀');
  });

  it('finds the name that a misspelled name means', () => {
    const names = ['settings', 'stores', 'sinks', 'isGlobal'];
    expect(['setting', 'Store', 'global', 'snks'].map((given) => closestName(given, names))).toEqual([
      'settings',
      'stores',
      'isGlobal',
      'sinks',
    ]);
    expect(['', 'anything', 'so'].map((given) => closestName(given, names))).toEqual([null, null, null]);
  });

  it('is cut between code points', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.nat(20), (text, count) => {
        const { head, cut } = takeCodePoints(text, count);
        expect(Array.from(head)).toEqual(Array.from(text).slice(0, count));
        expect(cut).toBe(Array.from(text).length > count);
      }),
    );
  });

  it('is shown up to 160 code points, then an ellipsis', () => {
    expect(previewOf('😀'.repeat(160))).toBe('😀'.repeat(160));
    expect(previewOf('😀'.repeat(161))).toBe(`${'😀'.repeat(160)}…`);
  });
});
