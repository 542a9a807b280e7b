import { hasManyDigits } from './many-digits.js';
import { PatternDetector } from './pattern-detector.js';

const SPEAKS_OF_PHONES =
  /(?<!\p{L})(?:tel|tél|phone|mobile|mobil|móvil|cell|handy|fax|call|ring|dial|sms|whatsapp|telef[oó]no?|telefone?|telefonu|t[eé]l[eé]phone|celular|UK)(?!\p{L})[^\p{N}]{0,24}$/iu;

/** `+44 20 7946 0018`, `0044 …`: 7 to 15 digits with the usual separators. */
export const internationalPhoneDetector = new PatternDetector(
  'phone',
  'pii_redaction',
  /(?<![\w+.-])(?:\+[1-9]|00[1-9]\d{1,2}[ -](?=\d))(?:(?:[ .\-/]|[ .\-/]?\(|\)[ .\-/]?)?\d){6,14}(?!\d)/,
  { needs: hasManyDigits },
);

/** `(415) 555-2671`, `415-555-2671`: the form of North America, which needs its separators to be told from a number. */
export const americanPhoneDetector = new PatternDetector(
  'phone',
  'pii_redaction',
  /(?<![\w.+-])(?:1[ .-])?(?:\([2-9]\d{2}\) ?|[2-9]\d{2}[.-])[2-9]\d{2}[.-]\d{4}(?![\w-])/,
  { needs: hasManyDigits },
);

/** Nine to eleven digits in whatever groups, where the words before them speak of phones. */
export const nationalPhoneDetector = new PatternDetector(
  'phone',
  'pii_redaction',
  /(?<![\w.+-])\(?\d(?:(?:[ .\-/]|\) ?)?\d){8,10}(?![\w-])/,
  { needs: hasManyDigits, accepts: (_, before) => SPEAKS_OF_PHONES.test(before) },
);
