import { describe, expect, it } from '@jest/globals';
import { HARMLESS, HARMLESS_NUMBERS } from '../../../../../test/support/detectors/harmless.cases.js';
import { LABELLED_HARMLESS, LABELLED_SECRETS } from '../../../../../test/support/detectors/labelled.js';
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

describe('300 secrets and 600 harmless texts, which are written from the pages of vendors', () => {
  it('are so many', () => {
    expect([LABELLED_SECRETS.length, LABELLED_HARMLESS.length]).toEqual([300, 600]);
  });

  it('find at least 80 % of the secrets, the whole of each', () => {
    const missed = LABELLED_SECRETS.filter(({ text, secret }) => {
      const redacted = sanitizer.redact(text).text;
      const middle = Math.floor(secret.length / 2);
      return redacted.includes(secret.slice(0, middle)) || redacted.includes(secret.slice(middle));
    });
    expect(missed.length <= 60 ? [] : missed).toEqual([]);
  });

  it('have at most 0.5 % false alarms', () => {
    const redacted = LABELLED_HARMLESS.filter((text) => sanitizer.redact(text).text !== text);
    expect(redacted.length <= 3 ? [] : redacted).toEqual([]);
  });
});
