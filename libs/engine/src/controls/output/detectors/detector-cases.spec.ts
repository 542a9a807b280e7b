import { describe, expect, it } from '@jest/globals';
import {
  coverageOf,
  covers,
  detectorsWithoutCases,
} from '../../../../../../test/support/detectors/coverage.js';
import { unmarked } from '../../../../../../test/support/detectors/marked.js';
import {
  NO_PERSONAL_DATA,
  PERSONAL_DATA,
} from '../../../../../../test/support/detectors/personal-data.cases.js';
import { NO_SECRETS, SECRETS } from '../../../../../../test/support/detectors/secret.cases.js';
import { builtInDetectors } from './built-in-detectors.js';

/** How many of the cases the detectors of one kind must get right. */
describe.each([
  { kind: 'secret_redaction', positive: SECRETS, negative: NO_SECRETS, recall: 0.99, falseAlarms: 0.01 },
  {
    kind: 'pii_redaction',
    positive: PERSONAL_DATA,
    negative: NO_PERSONAL_DATA,
    recall: 0.97,
    falseAlarms: 0.02,
  },
] as const)('$kind', ({ kind, positive, negative, recall, falseAlarms }) => {
  const detectors = builtInDetectors.filter((detector) => detector.kind === kind);

  it(`finds at least ${recall} of the marked spans completely`, () => {
    const missed = positive.filter((marked) => {
      const { text, spans } = unmarked(marked);
      return !spans.every((span) =>
        detectors.some((detector) => detector.find(text).some((found) => covers(found, span))),
      );
    });
    expect({ missed, enough: missed.length <= (1 - recall) * positive.length }).toMatchObject({
      enough: true,
    });
  });

  it(`has false positives in at most ${falseAlarms} of the negative cases`, () => {
    const alarms = negative.flatMap((text) =>
      detectors.filter((detector) => detector.find(text).length > 0).map(({ name }) => `${name}: ${text}`),
    );
    expect({ alarms, few: alarms.length <= falseAlarms * negative.length }).toMatchObject({ few: true });
  });
});

describe('each detector', () => {
  it('has a case that it finds completely', () => {
    expect(detectorsWithoutCases(builtInDetectors)).toEqual([]);
  });

  it.each(builtInDetectors.map(coverageOf))(
    '$name has cases: $whole of $seen found completely, $falsePositives false positives',
    ({ whole, falsePositives }) => {
      expect(whole).toBeGreaterThan(0);
      expect(falsePositives).toBeLessThanOrEqual(1);
    },
  );
});
