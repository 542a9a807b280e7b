import { PatternDetector } from './pattern-detector.js';

/** Social security numbers, by the parts that were never given out. Without separators they are any nine digits. */
export const usSsnDetector = new PatternDetector(
  'us_ssn',
  'pii_redaction',
  /(?<![\w-])(?!000|666|9\d\d)\d{3}(?<separator>[ -])(?!00)\d{2}\k<separator>(?!0000)\d{4}(?![\w-])/,
);
