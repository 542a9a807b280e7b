import { describe, expect, it } from '@jest/globals';
import { escapeSlackMarkup } from '#contracts/common/text.js';
import { shortened } from './plain-text.js';

describe('a shortened text', () => {
  it.each([
    ['of the maximum length, unchanged', 'a'.repeat(2000), 'a'.repeat(2000)],
    ['one character too long, without its end', 'a'.repeat(2001), `${'a'.repeat(1999)}…`],
    ['with markup, by the length of its escapes', '&'.repeat(401), `${'&'.repeat(399)}…`],
    ['of characters with two units, without half a character', '😀'.repeat(1001), `${'😀'.repeat(999)}…`],
  ])('is a text %s', (_, text, expected) => {
    expect(shortened(text, 2000)).toBe(expected);
    expect(escapeSlackMarkup(expected).length).toBeLessThanOrEqual(2000);
  });
});
