import { describe, expect, it } from '@jest/globals';
import { HARMLESS, HARMLESS_NUMBERS } from '../../../../../../test/support/detectors/harmless.cases.js';
import { LABELLED_HARMLESS, LABELLED_SECRETS } from '../../../../../../test/support/detectors/labelled.js';
import { DEFAULT_SETTINGS, Settings } from '#contracts/settings/settings.js';
import { runToEnd } from '../../../shared/resumable.js';
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

  it('are replaced in the same way if they arrive character by character', () => {
    const settings = new Settings(DEFAULT_SETTINGS);
    for (const { text } of LABELLED_SECRETS) {
      const session = sanitizer.begin(settings);
      const shown = Array.from(text, (character) => runToEnd(session.push(character)));
      expect([...shown, runToEnd(session.end())].join('')).toBe(sanitizer.sanitize(text, settings).text);
    }
  });

  it('have no key that is hidden by a line break or an invisible character', () => {
    const key = LABELLED_SECRETS.find(({ secret }) => secret.startsWith('gh'))?.secret ?? '';
    for (const gap of ['\n', '\r\n', '\n> ', '\\\n', '\u200b', '\u2060', '\u00ad', '\ufeff'])
      for (const place of [8, 20, key.length - 4]) {
        const text = `The key is ${key.slice(0, place)}${gap}${key.slice(place)} and no other.`;
        expect(sanitizer.redact(text).text).toBe('The key is [github_token] and no other.');
      }
  });

  it('have at most 0.5 % false alarms', () => {
    const redacted = LABELLED_HARMLESS.filter((text) => sanitizer.redact(text).text !== text);
    expect(redacted.length <= 3 ? [] : redacted).toEqual([]);
  });
});
