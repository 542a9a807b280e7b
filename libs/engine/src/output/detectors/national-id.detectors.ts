import { PatternDetector, type Accepts } from './pattern-detector.js';
import { passesLuhn } from './payment.detectors.js';

const SPANISH_LETTERS = 'TRWAGMYFPDXBNJZSQVHLCKE';
const PESEL_BIRTH = /^\d{2}(?:[02468][1-9]|[13579][0-2])(?:0[1-9]|[12]\d|3[01])/;

const digitsOf = (text: string): string => text.replaceAll(/\D/g, '');

/** Words that precede a number, with at most 24 other characters between them. */
class Label {
  private readonly anywhere: RegExp;
  private readonly atEnd: RegExp;

  constructor(words: string) {
    this.anywhere = new RegExp(words, 'iu');
    this.atEnd = new RegExp(String.raw`(?<!\p{L})(?:${words})(?!\p{L})[^\p{N}]{0,24}$`, 'iu');
  }

  readonly isIn = (text: string): boolean => this.anywhere.test(text);

  readonly precedes: Accepts = (_, before) => this.atEnd.test(before);
}

/** The sum of the digits, each multiplied by the weight of its place. */
function weightedSum(digits: string, weights: readonly number[]): number {
  return weights.reduce((sum, weight, place) => sum + weight * (digits.charCodeAt(place) - 48), 0);
}

const ssnLabel = new Label('ssn|social security|social');

/** Excludes the ranges that are not issued. Without hyphens, only after a label. */
export const usSsnDetector = new PatternDetector(
  'us_ssn',
  'pii_redaction',
  /(?<![\w-])(?!000|666|9\d\d)\d{3}(?<separator>[ \u00a0-]?)(?!00)\d{2}\k<separator>(?!0000)\d{4}(?![\w-])/,
  {
    requires: 'six_digits',
    accepts: (found, before) => found.includes('-') || ssnLabel.precedes(found, before, ''),
  },
);

/** DNI and NIE: the last letter follows from the number. */
export const spanishDniDetector = new PatternDetector(
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
);

const nirLabel = new Label(String.raw`nir|insee|s[ée]curit[ée] sociale|s[ée]cu|num[ée]ro`);

/** NIR: sex, year, month, place, order, and a check number modulo 97. Without spaces, only after a label. */
export const frenchNirDetector = new PatternDetector(
  'fr_nir',
  'pii_redaction',
  /(?<![\w.-])[12][ \u00a0]?\d{2}[ \u00a0]?(?:0[1-9]|1[0-2]|[2-9]\d)[ \u00a0]?(?:\d{2}|2[AB])[ \u00a0]?\d{3}[ \u00a0]?\d{3}[ \u00a0]?\d{2}(?![\w-])/,
  {
    requires: 'six_digits',
    accepts: (found, before) => {
      const number = found.replaceAll(/\s/g, '').replace('2A', '19').replace('2B', '18');
      if (97 - (Number(number.slice(0, 13)) % 97) !== Number(number.slice(13))) return false;
      return /\s.*\s.*\s/.test(found) || nirLabel.precedes(found, before, '');
    },
  },
);

/** Values of the characters at odd places; at even places digits and letters have their own value. */
const CODICE_FISCALE_ODD = [
  1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23,
];

/** The letters `LMNPQRSTUV` can replace digits. No ordinary number has this form, so it needs no label. */
export const italianCodiceFiscaleDetector = new PatternDetector(
  'it_codice_fiscale',
  'pii_redaction',
  /(?<![\w-])[A-Z]{6}[ ]?[\dL-NP-V]{2}[A-EHLMPR-T][\dL-NP-V]{2}[ ]?[A-Z][\dL-NP-V]{3}[A-Z](?![\w-])/,
  {
    requires: 'capitals',
    accepts: (found) => {
      const code = found.replaceAll(' ', '').toUpperCase();
      const sum = Array.from(code.slice(0, 15)).reduce((total, character, index) => {
        const value = /\d/.test(character) ? Number(character) : character.charCodeAt(0) - 65;
        return total + (index % 2 === 0 ? (CODICE_FISCALE_ODD[value] ?? 0) : value);
      }, 0);
      return code.charCodeAt(15) - 65 === sum % 26;
    },
  },
);

const germanTaxIdLabel = new Label(
  'steuer-?id|steuer id|steueridentifikationsnummer|steuer-identifikationsnummer|id-?nr|tin|tax id',
);

export const germanTaxIdDetector = new PatternDetector(
  'de_tax_id',
  'pii_redaction',
  /(?<![\w.-])[1-9]\d[ \u00a0]?\d{3}[ \u00a0]?\d{3}[ \u00a0]?\d{3}(?![\w-])/,
  {
    requires: 'six_digits',
    needs: germanTaxIdLabel.isIn,
    accepts: (found, before, after) =>
      germanTaxIdLabel.precedes(found, before, after) && isValidModulo11Ten(digitsOf(found)),
  },
);

/** ISO 7064, modulo 11 over 10: the last digit follows from the others. */
function isValidModulo11Ten(digits: string): boolean {
  let product = 10;
  for (const digit of digits.slice(0, -1)) {
    const sum = (Number(digit) + product) % 10 || 10;
    product = (sum * 2) % 11;
  }
  return (11 - product) % 10 === Number(digits.at(-1));
}

const cpfLabel = new Label('cpf');

export const brazilianCpfDetector = new PatternDetector(
  'br_cpf',
  'pii_redaction',
  /(?<![\w.-])(?:\d{3}\.\d{3}\.\d{3}-|\d{9})\d{2}(?![\w-])/,
  {
    requires: 'six_digits',
    accepts: (found, before, after) => {
      const number = digitsOf(found);
      if (/^(\d)\1{10}$/.test(number) || (found.length === 11 && !cpfLabel.precedes(found, before, after)))
        return false;
      const first = ((weightedSum(number, [10, 9, 8, 7, 6, 5, 4, 3, 2]) * 10) % 11) % 10;
      const second = ((weightedSum(number, [11, 10, 9, 8, 7, 6, 5, 4, 3, 2]) * 10) % 11) % 10;
      return number.endsWith(`${first}${second}`);
    },
  },
);

/** National insurance numbers, without the prefixes that are not issued. */
export const ukNinoDetector = new PatternDetector(
  'uk_nino',
  'pii_redaction',
  /(?<![\w-])(?!BG|GB|KN|NK|NT|TN|ZZ)[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z][ \u00a0]?\d{2}[ \u00a0]?\d{2}[ \u00a0]?\d{2}[ \u00a0]?[A-D](?![\w-])/,
  { requires: 'six_digits' },
);

const nhsLabel = new Label('nhs');

export const ukNhsDetector = new PatternDetector(
  'uk_nhs',
  'pii_redaction',
  /(?<![\w.-])\d{3}[ \u00a0-]?\d{3}[ \u00a0-]?\d{4}(?![\w-])/,
  {
    requires: 'six_digits',
    needs: nhsLabel.isIn,
    accepts: (found, before, after) => {
      const number = digitsOf(found);
      const check = (11 - (weightedSum(number, [10, 9, 8, 7, 6, 5, 4, 3, 2]) % 11)) % 11;
      return nhsLabel.precedes(found, before, after) && check === Number(number[9]);
    },
  },
);

const peselLabel = new Label('pesel');

/** PESEL: the date of birth with the century in the month, a serial number and a check digit. */
export const polishPeselDetector = new PatternDetector(
  'pl_pesel',
  'pii_redaction',
  /(?<![\w.-])\d{11}(?![\w-])/,
  {
    requires: 'six_digits',
    needs: peselLabel.isIn,
    accepts: (found, before, after) =>
      peselLabel.precedes(found, before, after) &&
      PESEL_BIRTH.test(found) &&
      weightedSum(found, [1, 3, 7, 9, 1, 3, 7, 9, 1, 3, 1]) % 10 === 0,
  },
);

const aadhaarLabel = new Label('aadhaa?r|adhaa?r|uidai|uid|आधार');

export const indianAadhaarDetector = new PatternDetector(
  'in_aadhaar',
  'pii_redaction',
  /(?<![\w.-])[2-9]\d{3}[ \u00a0-]?\d{4}[ \u00a0-]?\d{4}(?![\w-])/,
  {
    requires: 'six_digits',
    needs: aadhaarLabel.isIn,
    accepts: (found, before, after) =>
      aadhaarLabel.precedes(found, before, after) && passesVerhoeff(digitsOf(found)),
  },
);

/** Verhoeff's check: multiplication in the dihedral group of order ten, after a permutation of each digit. */
function passesVerhoeff(digits: string): boolean {
  const permutation = [1, 5, 7, 6, 2, 8, 3, 0, 9, 4];
  let check = 0;
  for (let place = 0; place < digits.length; place++) {
    let digit = Number(digits[digits.length - 1 - place]);
    for (let times = place % 8; times > 0; times--) digit = permutation[digit] ?? 0;
    check = multiplyDihedral(check, digit);
  }
  return check === 0;
}

function multiplyDihedral(one: number, other: number): number {
  if (one < 5) return other < 5 ? (one + other) % 5 : ((one + other) % 5) + 5;
  return other < 5 ? ((one - other + 5) % 5) + 5 : (one - other + 5) % 5;
}

const panLabel = new Label('pan|permanent account|income tax');

/** The fourth character is the type of the holder. The check letter is computed by a method that is not published. */
export const indianPanDetector = new PatternDetector(
  'in_pan',
  'pii_redaction',
  /(?<![\w-])[A-Z]{3}[ABCFGHJLPT][A-Z]\d{4}[A-Z](?![\w-])/,
  { requires: 'capitals', needs: panLabel.isIn, accepts: panLabel.precedes },
);

const sinLabel = new Label('sin|s\\.i\\.n\\.?|social insurance|assurance sociale|nas');

export const canadianSinDetector = new PatternDetector(
  'ca_sin',
  'pii_redaction',
  /(?<![\w.-])\d{3}[ \u00a0-]?\d{3}[ \u00a0-]?\d{3}(?![\w-])/,
  {
    requires: 'six_digits',
    needs: sinLabel.isIn,
    accepts: (found, before, after) => sinLabel.precedes(found, before, after) && passesLuhn(digitsOf(found)),
  },
);

const bsnLabel = new Label('bsn|burgerservicenummer|burger service|sofi-?nummer|sofi');

/** The eleven test: the weighted sum is a multiple of 11. */
export const dutchBsnDetector = new PatternDetector(
  'nl_bsn',
  'pii_redaction',
  /(?<![\w.-])\d{2,3}[ .\u00a0]?\d{3}[ .\u00a0]?\d{3}(?![\w-])/,
  {
    requires: 'six_digits',
    needs: bsnLabel.isIn,
    accepts: (found, before, after) => {
      const number = digitsOf(found).padStart(9, '0');
      return (
        bsnLabel.precedes(found, before, after) &&
        Number(number) > 0 &&
        weightedSum(number, [9, 8, 7, 6, 5, 4, 3, 2, -1]) % 11 === 0
      );
    },
  },
);
