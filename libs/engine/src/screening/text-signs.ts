/** What a text contains, as bits. A decoder without its signs has nothing to decode. */
export const SIGNS = {
  percent: 1,
  ampersand: 2,
  /** Of escapes in programming languages, and of `U+0069`. */
  escape: 4,
  line: 8,
  /** A digit or a mark that stands for a letter. */
  leet: 16,
  beyondAscii: 32,
  /** A long run of characters of Base64 or Base32. */
  blob: 64,
  /** A long run of digits, hexadecimal digits and what separates them. */
  codes: 128,
} as const;

const BLOB_LENGTH = 16;
const CODES_LENGTH = 14;

const IN_BLOB = 256;
const IN_CODES = 512;

/** The bits of each ASCII character. */
const OF_CHARACTER = Uint16Array.from({ length: 128 }, (_, unit) => {
  const character = String.fromCharCode(unit);
  return (
    (character === '%' ? SIGNS.percent : 0) |
    (character === '&' ? SIGNS.ampersand : 0) |
    (/[\\+]/.test(character) ? SIGNS.escape : 0) |
    (character === '\n' ? SIGNS.line : 0) |
    (/[0-9@$!|+]/.test(character) ? SIGNS.leet : 0) |
    (/[A-Za-z0-9+/_-]/.test(character) ? IN_BLOB : 0) |
    (/[0-9a-fx\\ ,:;]/i.test(character) ? IN_CODES : 0)
  );
});

/** The signs of a text, in one pass. */
export function signsOf(text: string): number {
  let signs = 0;
  let blob = 0;
  let codes = 0;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    const bits = unit < 128 ? (OF_CHARACTER[unit] ?? 0) : SIGNS.beyondAscii | SIGNS.leet;
    signs |= bits;
    blob = (bits & IN_BLOB) === 0 ? 0 : blob + 1;
    codes = (bits & IN_CODES) === 0 ? 0 : codes + 1;
    if (blob === BLOB_LENGTH) signs |= SIGNS.blob;
    if (codes === CODES_LENGTH) signs |= SIGNS.codes;
  }
  return signs;
}
