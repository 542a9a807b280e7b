import { describe, expect, it } from '@jest/globals';
import type { Span } from '#contracts/text.js';
import { unmarked } from '../../../../../test/support/detectors/marked.js';
import {
  NO_PERSONAL_DATA,
  PERSONAL_DATA,
} from '../../../../../test/support/detectors/personal-data.cases.js';
import { NO_SECRETS, SECRETS } from '../../../../../test/support/detectors/secret.cases.js';
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

/** For each detector: the marked spans that it finds at least partly, those that it finds completely, and false positives. */
const FIGURES = builtInDetectors.map((detector) => {
  const ofKind = detector.kind === 'pii_redaction';
  const [positive, negative] = ofKind ? [PERSONAL_DATA, NO_PERSONAL_DATA] : [SECRETS, NO_SECRETS];
  const seen = positive.flatMap((marked) => {
    const { text, spans } = unmarked(marked);
    const found = detector.find(text);
    return spans
      .filter((span) => found.some((one) => one[0] < span[1] && one[1] > span[0]))
      .map((span) => found.some((one) => covers(one, span)));
  });
  const alarms = negative.filter((text) => detector.find(text).length > 0).length;
  return { name: detector.name, seen: seen.length, whole: seen.filter(Boolean).length, alarms };
});

describe('each detector', () => {
  it.each(FIGURES)(
    '$name has cases: $whole of $seen found completely, $alarms false positives',
    ({ whole, alarms }) => {
      expect(whole).toBeGreaterThan(0);
      expect(alarms).toBeLessThanOrEqual(1);
    },
  );
});

function covers([start, end]: Span, span: Span): boolean {
  return start <= span[0] && end >= span[1];
}
