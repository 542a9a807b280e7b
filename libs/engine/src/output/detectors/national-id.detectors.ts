import { isRightModulo11Ten, weighted } from './check-digits.js';
import { hasManyDigits } from './many-digits.js';
import { PatternDetector } from './pattern-detector.js';

const LETTERS_OF_SPAIN = 'TRWAGMYFPDXBNJZSQVHLCKE';
const BIRTH = /^\d{2}(?:[02468][1-9]|[13579][0-2])(?:0[1-9]|[12]\d|3[01])/;

const digitsOf = (text: string): string => text.replaceAll(/\D/g, '');
const speaksOf = (words: string): ((before: string) => boolean) => {
  const pattern = new RegExp(`(?<!\\p{L})(?:${words})(?!\\p{L})[^\\p{N}]{0,24}$`, 'iu');
  return (before) => pattern.test(before);
};

const ofSocialSecurity = speaksOf('ssn|social security(?: number)?');
const ofGermanTax = speaksOf(
  'steuer-?id|steuer id|steueridentifikationsnummer|steuer-identifikationsnummer|id-?nr|tin|tax id',
);
const ofCpf = speaksOf('cpf');
const ofNhs = speaksOf('nhs');
const ofPesel = speaksOf('pesel');

/** By the parts that were never given out. Without separators it is any nine digits. */
export const usSsnDetector = new PatternDetector(
  'us_ssn',
  'pii_redaction',
  /(?<![\w-])(?!000|666|9\d\d)\d{3}(?<separator>[ -]?)(?!00)\d{2}\k<separator>(?!0000)\d{4}(?![\w-])/,
  { needs: hasManyDigits, accepts: (found, before) => found.length > 9 || ofSocialSecurity(before) },
);

/** DNI and NIE: the letter at the end follows from the number. */
export const spanishIdDetector = new PatternDetector(
  'es_dni',
  'pii_redaction',
  /(?<![\w.-])(?:\d{8}|\d{2}\.\d{3}\.\d{3}|[XYZ]-?\d{7})-?[A-Z](?![\w-])/i,
  {
    needs: hasManyDigits,
    accepts: (found) => {
      const number = digitsOf(
        found.replace(/^[xyz]/i, (letter) => String('XYZ'.indexOf(letter.toUpperCase()))),
      );
      return LETTERS_OF_SPAIN[Number(number) % 23] === found.slice(-1).toUpperCase();
    },
  },
);

/** NIR: sex, year, month, place, order, and what is left modulo 97. */
export const frenchIdDetector = new PatternDetector(
  'fr_nir',
  'pii_redaction',
  /(?<![\w.-])[12] ?\d{2} ?(?:0[1-9]|1[0-2]|[2-9]\d) ?(?:\d{2}|2[AB]) ?\d{3} ?\d{3} ?\d{2}(?![\w-])/,
  {
    needs: hasManyDigits,
    accepts: (found) => {
      const written = found.replaceAll(' ', '').replace('2A', '19').replace('2B', '18');
      return 97 - (Number(written.slice(0, 13)) % 97) === Number(written.slice(13));
    },
  },
);

export const germanTaxIdDetector = new PatternDetector(
  'de_tax_id',
  'pii_redaction',
  /(?<![\w.-])[1-9]\d ?\d{3} ?\d{3} ?\d{3}(?![\w-])/,
  {
    needs: hasManyDigits,
    accepts: (found, before) => ofGermanTax(before) && isRightModulo11Ten(digitsOf(found)),
  },
);

export const brazilianCpfDetector = new PatternDetector(
  'br_cpf',
  'pii_redaction',
  /(?<![\w.-])(?:\d{3}\.\d{3}\.\d{3}-|\d{9})\d{2}(?![\w-])/,
  {
    needs: hasManyDigits,
    accepts: (found, before) => {
      const number = digitsOf(found);
      if (/^(\d)\1{10}$/.test(number) || (found.length === 11 && !ofCpf(before))) return false;
      const first = ((weighted(number.slice(0, 9), [10, 9, 8, 7, 6, 5, 4, 3, 2]) * 10) % 11) % 10;
      const second = ((weighted(number.slice(0, 10), [11, 10, 9, 8, 7, 6, 5, 4, 3, 2]) * 10) % 11) % 10;
      return number.endsWith(`${first}${second}`);
    },
  },
);

/** National insurance: some prefixes are never given out. */
export const ukNinoDetector = new PatternDetector(
  'uk_nino',
  'pii_redaction',
  /(?<![\w-])(?!BG|GB|KN|NK|NT|TN|ZZ)[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z] ?\d{2} ?\d{2} ?\d{2} ?[A-D](?![\w-])/,
  { needs: hasManyDigits },
);

export const ukNhsDetector = new PatternDetector(
  'uk_nhs',
  'pii_redaction',
  /(?<![\w.-])\d{3}[ -]?\d{3}[ -]?\d{4}(?![\w-])/,
  {
    needs: hasManyDigits,
    accepts: (found, before) => {
      const number = digitsOf(found);
      const check = (11 - (weighted(number.slice(0, 9), [10, 9, 8, 7, 6, 5, 4, 3, 2]) % 11)) % 11;
      return ofNhs(before.replace(/\s*(?:number|no\.?|nr\.?)\s*:?\s*$/i, ' ')) && check === Number(number[9]);
    },
  },
);

/** PESEL: the day of birth, with the century in the month, an order, and a check digit. */
export const polishIdDetector = new PatternDetector(
  'pl_pesel',
  'pii_redaction',
  /(?<![\w.-])\d{11}(?![\w-])/,
  {
    needs: hasManyDigits,
    accepts: (found, before) =>
      ofPesel(before) && BIRTH.test(found) && weighted(found, [1, 3, 7, 9, 1, 3, 7, 9, 1, 3, 1]) % 10 === 0,
  },
);
