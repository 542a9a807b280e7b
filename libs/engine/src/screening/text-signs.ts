import { isAsciiLetterOrDigit } from '../text/characters.js';

/** What a text contains, as bits. A decoder without its signs has nothing to decode. */
export const SIGNS = {
  percent: 1,
  ampersand: 2,
  /** Of escapes in programming languages, and of `U+0069`. */
  escape: 4,
  line: 8,
  /** A letter beside a digit or a mark that stands for one. */
  leet: 16,
  beyondAscii: 32,
  /** A long run of characters of Base64 or Base32. */
  blob: 64,
  /** A long run of digits, hexadecimal digits and what separates them. */
  codes: 128,
  /** Three single letters or digits with the same separator between them. */
  spaced: 256,
} as const;

const BLOB_LENGTH = 16;
const CODES_LENGTH = 14;

const IN_BLOB = 512;
const IN_CODES = 1024;
const LETTER = 2048;
/** Stands for a letter after one, and before one. */
const LEET_AFTER = 4096;
const LEET_BEFORE = 8192;
const SEPARATOR = 16_384;
const LETTER_OR_DIGIT = 32_768;
const PLUS = 65_536;
const LETTER_U = 131_072;

/** The bits of each ASCII character. */
const OF_CHARACTER = Uint32Array.from({ length: 128 }, (_, unit) => {
  const character = String.fromCharCode(unit);
  const bit = (pattern: RegExp, bits: number): number => (pattern.test(character) ? bits : 0);
  return (
    bit(/%/, SIGNS.percent) |
    bit(/&/, SIGNS.ampersand) |
    bit(/\\/, SIGNS.escape) |
    bit(/\n/, SIGNS.line) |
    bit(/[A-Za-z]/, LETTER) |
    bit(/[A-Za-z0-9]/, LETTER_OR_DIGIT) |
    bit(/[0-9@$]/, LEET_AFTER) |
    bit(/[0-9@$!|+]/, LEET_BEFORE) |
    bit(/[ .*|_\-,/~]/, SEPARATOR) |
    bit(/\+/, PLUS) |
    bit(/[Uu]/, LETTER_U) |
    bit(/[A-Za-z0-9+/_-]/, IN_BLOB) |
    bit(/[0-9a-fx\\ ,:;]/i, IN_CODES)
  );
});

const BEYOND_ASCII = SIGNS.beyondAscii | LETTER_OR_DIGIT;
const MICRO_SIGN = 0xb5;
const EURO_SIGN = 0x20ac;

function bitsBeyondAscii(unit: number): number {
  if (unit === EURO_SIGN) return BEYOND_ASCII | LETTER | LEET_AFTER | LEET_BEFORE;
  return unit >= 0xc0 || unit === MICRO_SIGN ? BEYOND_ASCII | LETTER : BEYOND_ASCII;
}

const ALL_SIGNS = Object.values(SIGNS).reduce((signs, sign) => signs | sign, 0);

/** The signs of a text, in one pass. */
export function signsOf(text: string): number {
  let signs = 0;
  let blob = 0;
  let codes = 0;
  let previous = 0;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    const bits = unit < 128 ? (OF_CHARACTER[unit] ?? 0) : bitsBeyondAscii(unit);
    signs |= bits;
    if (isLeet(previous, bits)) signs |= SIGNS.leet;
    if ((bits & PLUS) !== 0 && (previous & LETTER_U) !== 0) signs |= SIGNS.escape;
    if ((bits & SEPARATOR) !== 0 && (previous & LETTER_OR_DIGIT) !== 0 && isSecondSeparator(text, at))
      signs |= SIGNS.spaced;
    blob = (bits & IN_BLOB) === 0 ? 0 : blob + 1;
    codes = (bits & IN_CODES) === 0 ? 0 : codes + 1;
    if (blob === BLOB_LENGTH) signs |= SIGNS.blob;
    if (codes === CODES_LENGTH) signs |= SIGNS.codes;
    previous = bits;
  }
  return signs & ALL_SIGNS;
}

function isLeet(previous: number, bits: number): boolean {
  return (
    ((previous & LETTER) !== 0 && (bits & LEET_AFTER) !== 0) ||
    ((previous & LEET_BEFORE) !== 0 && (bits & LETTER) !== 0)
  );
}

/** Whether the separator at `at` is the second one of a spaced word. Characters beyond ASCII may be letters. */
function isSecondSeparator(text: string, at: number): boolean {
  const first = at - (isLowSurrogate(text.charCodeAt(at - 1)) ? 3 : 2);
  return (
    text.charCodeAt(first) === text.charCodeAt(at) &&
    mayBeLetter(text, first - 1) &&
    mayBeLetter(text, at + 1) &&
    !isAsciiLetterOrDigit(text.charCodeAt(first - 2))
  );
}

function mayBeLetter(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  return unit >= 128 || isAsciiLetterOrDigit(unit);
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}
