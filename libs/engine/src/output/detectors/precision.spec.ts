import { describe, expect, it } from '@jest/globals';
import { HARMLESS, HARMLESS_NUMBERS } from '../../../../../test/support/detectors/harmless.cases.js';
import { Sanitizer } from '../sanitizer.js';

const sanitizer = new Sanitizer([]);

describe('harmless texts', () => {
  it('are at least 500, 300 of them with long numbers', () => {
    expect(HARMLESS.length).toBeGreaterThanOrEqual(500);
    expect(HARMLESS_NUMBERS).toHaveLength(300);
  });

  it('have at most one false positive', () => {
    const redacted = HARMLESS.filter((text) => sanitizer.redact(text).text !== text);
    expect(redacted.length <= 1 ? [] : redacted).toEqual([]);
  });
});
