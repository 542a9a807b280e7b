import { describe, expect, it } from '@jest/globals';
import { DEFAULT_SETTINGS, Settings } from '../../../contracts/src/settings/settings.js';
import { DISGUISED } from '../../../../test/support/detectors/disguised.cases.js';
import { unmarked } from '../../../../test/support/detectors/marked.js';
import { Sanitiser } from './sanitiser.js';

const sanitizer = new Sanitiser([]);

/** Each case with what must remain. */
const cases = DISGUISED.map(([detector, marked]) => {
  const { text, spans } = unmarked(marked);
  const [start, end] = spans[0] ?? [0, 0];
  return {
    detector,
    text,
    span: [start, end],
    expected: `${text.slice(0, start)}[${detector}]${text.slice(end)}`,
  };
});

describe('disguised secrets and personal data', () => {
  it.each(cases)('redacts $detector in $text', ({ text, expected }) => {
    expect(sanitizer.redact(text).text).toBe(expected);
  });
});
void Settings;
void DEFAULT_SETTINGS;
