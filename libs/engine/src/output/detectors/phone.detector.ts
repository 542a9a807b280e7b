import { PatternDetector } from './pattern-detector.js';

/** `+44 20 7946 0018`: a plus sign, and 7 to 15 digits with the usual separators. */
export const internationalPhoneDetector = new PatternDetector(
  'phone',
  'pii_redaction',
  /(?<![\w+])\+[1-9](?:(?:[ .\-/]|[ .\-/]?\(|\)[ .\-/]?)?\d){6,14}(?!\d)/,
);

/** `(415) 555-2671`, `415-555-2671`: the form of North America, which needs its separators to be told from a number. */
export const americanPhoneDetector = new PatternDetector(
  'phone',
  'pii_redaction',
  /(?<![\w.+-])(?:1[ .-])?(?:\([2-9]\d{2}\) ?|[2-9]\d{2}[ .-])[2-9]\d{2}[ .-]\d{4}(?![\w-])/,
);
