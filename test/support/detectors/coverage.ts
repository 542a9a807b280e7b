import type { Detector } from '#contracts/output/output.js';
import type { Span } from '#contracts/common/text.js';
import { LABELLED_SECRETS } from './labelled.js';
import { unmarked } from './marked.js';
import { NO_PERSONAL_DATA, PERSONAL_DATA } from './personal-data.cases.js';
import { NO_SECRETS, SECRETS } from './secret.cases.js';

const ALL_SECRETS = [
  ...SECRETS.map(unmarked),
  ...LABELLED_SECRETS.map(({ text, secret }) => {
    const start = text.indexOf(secret);
    return { text, spans: [[start, start + secret.length]] as const };
  }),
];

/** The results of a detector in the cases of its kind. */
export interface Coverage {
  readonly name: string;
  /** Marked spans that it finds at least partly. */
  readonly seen: number;
  /** Marked spans that it finds completely. */
  readonly whole: number;
  readonly falsePositives: number;
}

export function coverageOf(detector: Detector): Coverage {
  const isPersonal = detector.kind === 'pii_redaction';
  const [positive, negative] = isPersonal
    ? [PERSONAL_DATA.map(unmarked), NO_PERSONAL_DATA]
    : [ALL_SECRETS, NO_SECRETS];
  const seen = positive.flatMap(({ text, spans }) => {
    const found = detector.find(text);
    return spans
      .filter((span) => found.some((one) => one[0] < span[1] && one[1] > span[0]))
      .map((span) => found.some((one) => covers(one, span)));
  });
  const falsePositives = negative.filter((text) => detector.find(text).length > 0).length;
  return { name: detector.name, seen: seen.length, whole: seen.filter(Boolean).length, falsePositives };
}

/** The names of the detectors that find no case completely. */
export function detectorsWithoutCases(detectors: readonly Detector[]): readonly string[] {
  return detectors
    .map(coverageOf)
    .filter(({ whole }) => whole === 0)
    .map(({ name }) => name);
}

export function covers([start, end]: Span, span: Span): boolean {
  return start <= span[0] && end >= span[1];
}
