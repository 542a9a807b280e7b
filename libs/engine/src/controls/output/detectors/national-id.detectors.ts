import { PatternDetector } from './pattern-detector.js';
import { passesLuhn } from './payment.detectors.js';

const SPANISH_LETTERS = 'TRWAGMYFPDXBNJZSQVHLCKE';
const PESEL_BIRTH = /^\d{2}(?:[02468][1-9]|[13579][0-2])(?:0[1-9]|[12]\d|3[01])/;

const digitsOf = (text: string) => text.replaceAll(/\D/g, '');

/** The sum of the digits, each multiplied by the weight of its place. A weight is a hexadecimal digit. */
function weightedSum(digits: string, weights: string) {
  return Array.from(weights).reduce(
    (sum, weight, place) => sum + Number.parseInt(weight, 16) * Number(digits[place]),
    0,
  );
}

/** Values of the characters at odd places; at even places digits and letters have their own value. */
const CODICE_FISCALE_ODD = '1 0 5 7 9 13 15 17 19 21 2 4 18 20 11 3 6 8 12 14 16 10 22 25 24 23'.split(' ');

export const nationalIdDetectors: readonly PatternDetector[] = [
  // Excludes the ranges that are not issued. Without hyphens, only after a label.
  new PatternDetector(
    'us_ssn',
    'pii_redaction',
    /(?<![\w-])(?!000|666|9\d\d)\d{3}(?<separator>[ \u00a0-]?)(?!00)\d{2}\k<separator>(?!0000)\d{4}(?![\w-])/,
    {
      requires: 'six_digits',
      label: 'ssn|social security|social',
      needsLabel: (found) => !found.includes('-'),
    },
  ),

  // DNI and NIE: the last letter follows from the number.
  new PatternDetector(
    'es_dni',
    'pii_redaction',
    /(?<![\w.-])(?:\d{8}|\d{2}\.\d{3}\.\d{3}|[XYZ]-?\d{7})-?[A-Z](?![\w-])/i,
    {
      requires: 'six_digits',
      accepts: (found) => {
        const number = found.replace(/^[xyz]/i, (letter) => String('XYZ'.indexOf(letter.toUpperCase())));
        return SPANISH_LETTERS[Number(digitsOf(number)) % 23] === found.slice(-1).toUpperCase();
      },
    },
  ),

  // NIR: sex, year, month, place, order, and a check number modulo 97. Without spaces, only after a label.
  new PatternDetector(
    'fr_nir',
    'pii_redaction',
    /(?<![\w.-])[12][ \u00a0]?\d{2}[ \u00a0]?(?:0[1-9]|1[0-2]|[2-9]\d)[ \u00a0]?(?:\d{2}|2[AB])[ \u00a0]?\d{3}[ \u00a0]?\d{3}[ \u00a0]?\d{2}(?![\w-])/,
    {
      requires: 'six_digits',
      label: 'nir|insee|s[ée]curit[ée] sociale|s[ée]cu|num[ée]ro',
      needsLabel: (found) => !/\s.*\s.*\s/.test(found),
      accepts: (found) => {
        const number = found.replaceAll(/\s/g, '').replace('2A', '19').replace('2B', '18');
        return 97 - (Number(number.slice(0, 13)) % 97) === Number(number.slice(13));
      },
    },
  ),

  // The letters `LMNPQRSTUV` can replace digits. No ordinary number has this form, so it needs no label.
  new PatternDetector(
    'it_codice_fiscale',
    'pii_redaction',
    /(?<![\w-])[A-Z]{6}[ ]?[\dL-NP-V]{2}[A-EHLMPR-T][\dL-NP-V]{2}[ ]?[A-Z][\dL-NP-V]{3}[A-Z](?![\w-])/,
    {
      requires: 'capitals',
      accepts: (found) => {
        const code = found.replaceAll(' ', '').toUpperCase();
        const sum = Array.from(code.slice(0, 15)).reduce((total, character, index) => {
          const value = /\d/.test(character) ? Number(character) : character.charCodeAt(0) - 65;
          return total + (index % 2 === 0 ? Number(CODICE_FISCALE_ODD[value]) : value);
        }, 0);
        return code.charCodeAt(15) - 65 === sum % 26;
      },
    },
  ),

  new PatternDetector(
    'de_tax_id',
    'pii_redaction',
    /(?<![\w.-])[1-9]\d[ \u00a0]?\d{3}[ \u00a0]?\d{3}[ \u00a0]?\d{3}(?![\w-])/,
    {
      requires: 'six_digits',
      label:
        'steuer-?id|steuer id|steueridentifikationsnummer|steuer-identifikationsnummer|id-?nr|tin|tax id',
      accepts: (found) => isValidModulo11Ten(digitsOf(found)),
    },
  ),

  new PatternDetector('br_cpf', 'pii_redaction', /(?<![\w.-])(?:\d{3}\.\d{3}\.\d{3}-|\d{9})\d{2}(?![\w-])/, {
    requires: 'six_digits',
    label: 'cpf',
    needsLabel: (found) => found.length === 11,
    accepts: (found) => {
      const number = digitsOf(found);
      const first = ((weightedSum(number, 'a98765432') * 10) % 11) % 10;
      const second = ((weightedSum(number, 'ba98765432') * 10) % 11) % 10;
      return !/^(\d)\1{10}$/.test(number) && number.endsWith(`${first}${second}`);
    },
  }),

  // National insurance numbers, without the prefixes that are not issued.
  new PatternDetector(
    'uk_nino',
    'pii_redaction',
    /(?<![\w-])(?!BG|GB|KN|NK|NT|TN|ZZ)[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z][ \u00a0]?\d{2}[ \u00a0]?\d{2}[ \u00a0]?\d{2}[ \u00a0]?[A-D](?![\w-])/,
    { requires: 'six_digits' },
  ),

  new PatternDetector(
    'uk_nhs',
    'pii_redaction',
    /(?<![\w.-])\d{3}[ \u00a0-]?\d{3}[ \u00a0-]?\d{4}(?![\w-])/,
    {
      requires: 'six_digits',
      label: 'nhs',
      accepts: (found) => {
        const number = digitsOf(found);
        return (11 - (weightedSum(number, 'a98765432') % 11)) % 11 === Number(number[9]);
      },
    },
  ),

  // PESEL: the date of birth with the century in the month, a serial number and a check digit.
  new PatternDetector('pl_pesel', 'pii_redaction', /(?<![\w.-])\d{11}(?![\w-])/, {
    requires: 'six_digits',
    label: 'pesel',
    accepts: (found) => PESEL_BIRTH.test(found) && weightedSum(found, '13791379131') % 10 === 0,
  }),

  new PatternDetector(
    'in_aadhaar',
    'pii_redaction',
    /(?<![\w.-])[2-9]\d{3}[ \u00a0-]?\d{4}[ \u00a0-]?\d{4}(?![\w-])/,
    {
      requires: 'six_digits',
      label: 'aadhaa?r|adhaa?r|uidai|uid|आधार',
      accepts: (found) => passesVerhoeff(digitsOf(found)),
    },
  ),

  // The fourth character is the type of the holder. The check letter is computed by a method that is not published.
  new PatternDetector('in_pan', 'pii_redaction', /(?<![\w-])[A-Z]{3}[ABCFGHJLPT][A-Z]\d{4}[A-Z](?![\w-])/, {
    requires: 'capitals',
    label: 'pan|permanent account|income tax',
  }),

  new PatternDetector(
    'ca_sin',
    'pii_redaction',
    /(?<![\w.-])\d{3}[ \u00a0-]?\d{3}[ \u00a0-]?\d{3}(?![\w-])/,
    {
      requires: 'six_digits',
      label: 'sin|s\\.i\\.n\\.?|social insurance|assurance sociale|nas',
      accepts: passesLuhn,
    },
  ),

  // The eleven test: the weighted sum is a multiple of 11. The last digit counts -1, which is 10 modulo 11.
  new PatternDetector(
    'nl_bsn',
    'pii_redaction',
    /(?<![\w.-])\d{2,3}[ .\u00a0]?\d{3}[ .\u00a0]?\d{3}(?![\w-])/,
    {
      requires: 'six_digits',
      label: 'bsn|burgerservicenummer|burger service|sofi-?nummer|sofi',
      accepts: (found) => {
        const number = digitsOf(found).padStart(9, '0');
        return Number(number) > 0 && weightedSum(number, '98765432a') % 11 === 0;
      },
    },
  ),
];

/** ISO 7064, modulo 11 over 10: the last digit follows from the others. */
function isValidModulo11Ten(digits: string) {
  let product = 10;
  for (const digit of digits.slice(0, -1)) {
    const sum = (Number(digit) + product) % 10 || 10;
    product = (sum * 2) % 11;
  }
  return (11 - product) % 10 === Number(digits.at(-1));
}

/** Verhoeff's check: multiplication in the dihedral group of order ten, after a permutation of each digit. */
function passesVerhoeff(digits: string) {
  const permutation = '1576283094';
  let check = 0;
  for (let place = 0; place < digits.length; place++) {
    let digit = Number(digits[digits.length - 1 - place]);
    for (let times = place % 8; times > 0; times--) digit = Number(permutation[digit]);
    check = multiplyDihedral(check, digit);
  }
  return check === 0;
}

function multiplyDihedral(one: number, other: number) {
  if (one < 5) return other < 5 ? (one + other) % 5 : ((one + other) % 5) + 5;
  return other < 5 ? ((one - other + 5) % 5) + 5 : (one - other + 5) % 5;
}
